/** The warning about this month's credits that is shown. The server gives each warning once in a month. */
import type { components } from "../api/schema";
import { onPersonGone } from "../state/personalData";
import { createStore } from "../state/store";

export type QuotaWarning = components["schemas"]["EventQuotaWarning"];

export const quotaWarningStore = createStore<QuotaWarning | null>(null);
onPersonGone(() => quotaWarningStore.set(null));
