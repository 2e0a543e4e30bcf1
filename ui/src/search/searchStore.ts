import { onPersonGone } from "../state/personalData";
import { createStore } from "../state/store";

/** Whether the search over everything is open. */
export const searchStore = createStore(false);
onPersonGone(() => searchStore.set(false));
