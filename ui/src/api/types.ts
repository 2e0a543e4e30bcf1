/** The server's types by the names that the page uses. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Answer = Schemas["EventAnswer"];
export type Boxes = Schemas["EventBoxes"];
export type ChangedFile = Schemas["EventChangedFile"];
export type ClientCall = Schemas["EventClientCall"];
export type ClientResult = Schemas["EventClientResult"];
export type Citation = Schemas["EventCitation"];
export type Evidence = Schemas["EventEvidenceFound"];
export type Execution = Schemas["EventExecution"];
export type Fault = Schemas["EventFault"];
export type PageBoxes = Schemas["Placed"];
export type Highlight = Schemas["EventHighlight"];
export type Medium = Schemas["EventMedium"];
export type Judge = Schemas["EventJudge"];
export type Project = Schemas["ProjectSummary"];
export type ProposedChanges = Schemas["EventProposedChanges"];
export type RefusedEdit = Schemas["EventRefusedEdit"];
export type Repair = Schemas["EventRepair"];
export type Section = Schemas["EventSection"];
export type SentItem = Schemas["EventSent"];
export type Sentence = Schemas["EventSentence"];
export type ShownPassage = Schemas["EventShownPassage"];
export type TableRow = Schemas["EventTableRow"];
export type Usage = Schemas["EventUsage"];
export type WireEvent = Schemas["Event"];
export type Support = NonNullable<Sentence["support"]>;
export type Focus = Schemas["EventMessageStarted"]["focus"];
export type Kind = Schemas["DocumentInfo"]["kind"];

/** A question as it is sent. */
export type QuestionRequest = Schemas["Chat"];

/** What the page did about a call of an answer, as it is sent. */
export type ResultReport = Pick<Schemas["ResultBody"], "call" | "status"> & Partial<Schemas["ResultBody"]>;
