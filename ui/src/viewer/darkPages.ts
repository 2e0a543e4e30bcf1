/** Whether the pages of PDFs are dark, which this browser remembers. A page is light, as on paper, until it is chosen. */
import { createPersistentStore } from "../state/persistentStore";

export const darkPagesStore = createPersistentStore("viewer.darkPages", false);
