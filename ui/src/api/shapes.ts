/** The wire's nouns by the names the page uses; their shapes are the server's own. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Answer = Schemas["EventAnswer"];
export type Boxes = Schemas["EventBoxes"];
export type Citation = Schemas["EventCitation"];
export type Evidence = Schemas["EventEvidence"];
export type Execution = Schemas["EventExecution"];
export type Fault = Schemas["EventFault"];
export type Placed = Schemas["Placed"];
export type Highlight = Schemas["EventHighlight"];
export type Medium = Schemas["EventMedium"];
export type Judge = Schemas["EventJudge"];
export type Repair = Schemas["EventRepair"];
export type Section = Schemas["EventSection"];
export type Sent = Schemas["EventSent"];
export type Sentence = Schemas["EventSentence"];
export type ShownPassage = Schemas["EventShownPassage"];
export type TableRow = Schemas["EventTableRow"];
export type Usage = Schemas["EventUsage"];
export type WireEvent = Schemas["Event"];
export type Support = NonNullable<Sentence["support"]>;
export type Focus = Schemas["EventMessageStarted"]["focus"];
export type Kind = Schemas["Document"]["kind"];
