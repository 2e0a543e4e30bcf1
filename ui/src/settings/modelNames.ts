/** The name of no model: an answer then quotes the documents. */
export const EXTRACTIVE = "extractive";
