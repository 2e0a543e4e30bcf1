/** The highlights and comments of the person on the document that is shown. */
import { server, unwrap } from "../api/client";
import type { components } from "../api/schema";
import { createPersonalStore } from "../state/persistentStore";
import { onPersonGone } from "../state/personalData";
import { createStore, type Store } from "../state/store";
import { createRemoval } from "../state/undoableRemoval";
import type { TextRange } from "./viewerStore";

export type Annotation = components["schemas"]["Annotation"];
export type Colour = Annotation["colour"];

/** The colours of highlights. Each has a name and a line of its own form. */
export const COLOURS: readonly Colour[] = ["yellow", "green", "blue", "pink"];

export interface AnnotationState {
  document: string;
  annotations: Annotation[];
  /** The highlight that the reader has chosen, and whether its comment is being written. */
  chosen: string | null;
  isWriting: boolean;
  /** Whether the chosen highlight was made only for the comment that is being written. */
  isNew: boolean;
}

export interface AnnotationStore extends Store<AnnotationState> {
  /** Load the highlights of a document. Without an answer of the server the document is shown without them. */
  load: (document: string) => Promise<void>;
  /** Highlight characters of a document in the colour that was used last. */
  add: (document: string, range: TextRange) => Promise<Annotation>;
  change: (id: string, change: { colour?: Colour; comment?: string }) => Promise<void>;
  /** Show a highlight in the panel, perhaps with the field for its comment. */
  choose: (id: string | null, isWriting?: boolean, isNew?: boolean) => void;
}

const EMPTY: AnnotationState = { document: "", annotations: [], chosen: null, isWriting: false, isNew: false };

/** The colour that was used last. */
export const lastColour = createPersonalStore<Colour>("highlight.colour", "yellow");

/** Create a store without highlights. */
export function createAnnotationStore(): AnnotationStore {
  const store = createStore(EMPTY);
  const put = (annotation: Annotation) =>
    store.set((now) => {
      if (now.document !== annotation.document) return now;
      const others = now.annotations.filter((each) => each.id !== annotation.id);
      return { ...now, annotations: [...others, annotation].sort((a, b) => a.start - b.start) };
    });
  return {
    ...store,
    async load(document) {
      if (store.get().document !== document) store.set({ ...EMPTY, document });
      try {
        const params = { path: { document } };
        const answer = await server.GET("/api/documents/{document}/annotations", { params });
        const annotations = unwrap(answer) as Annotation[];
        store.set((now) => (now.document === document ? { ...now, annotations } : now));
      } catch {
        // The highlights come with the next document.
      }
    },
    async add(document, { start, end }) {
      const params = { path: { document } };
      const body = { start, end, colour: lastColour.get(), comment: "" };
      const answer = await server.POST("/api/documents/{document}/annotations", { params, body });
      const made = unwrap(answer) as Annotation;
      put(made);
      return made;
    },
    async change(id, change) {
      if (change.colour) lastColour.set(change.colour);
      const params = { path: { annotation: id } };
      const answer = await server.PATCH("/api/annotations/{annotation}", { params, body: change });
      put(unwrap(answer) as Annotation);
    },
    choose(id, isWriting = false, isNew = false) {
      store.set((now) => ({ ...now, chosen: id, isWriting, isNew }));
    },
  };
}

export const annotationStore = createAnnotationStore();
onPersonGone(() => annotationStore.set(EMPTY));

/** The removal of highlights, with undo. */
export const annotationRemoval = createRemoval(
  (id) => `/api/annotations/${id}`,
  () => {
    const { document } = annotationStore.get();
    if (document) void annotationStore.load(document);
  },
);
