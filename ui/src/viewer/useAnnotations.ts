/** The highlights that the person made in a document, as the viewer draws them. */
import { useEffect, useMemo } from "react";
import type { PageBoxes } from "../api/types";
import { type Translate, useTranslate } from "../i18n";
import { useStore } from "../state/store";
import { type Annotation, annotationRemoval, annotationStore, type Colour } from "./annotationStore";
import type { Highlight } from "./highlights";
import type { Mark } from "./viewerStore";

/** The beginning of the keys of marks that are highlights of the person. */
export const NOTE_MARK = "note:";

const COLOUR_NAMES = {
  yellow: "notes.colour.yellow",
  green: "notes.colour.green",
  blue: "notes.colour.blue",
  pink: "notes.colour.pink",
} as const satisfies Record<Colour, string>;

/** Name a colour. */
export function nameColour(t: Translate, colour: Colour): string {
  return t(COLOUR_NAMES[colour]);
}

/** Return the highlights of a document, without those that are being removed or are no longer found. */
export function useAnnotations(document: string): Highlight[] {
  const t = useTranslate();
  const { document: loaded, annotations, chosen } = useStore(annotationStore);
  const gone = useStore(annotationRemoval.gone);
  useEffect(() => {
    void annotationStore.load(document);
  }, [document]);
  return useMemo(() => {
    if (loaded !== document) return [];
    const shown = annotations.filter(({ id, state }) => state === "found" && !gone.has(id));
    return shown.map((each) => makeHighlight(t, each, each.id === chosen));
  }, [t, loaded, document, annotations, gone, chosen]);
}

function makeHighlight(t: Translate, annotation: Annotation, isOpen: boolean): Highlight {
  const { id, colour, start, end, comment } = annotation;
  const name = t("notes.highlight", { colour: nameColour(t, colour) });
  return {
    ...{ key: `${NOTE_MARK}${id}`, tone: `note-${colour}`, isChosen: false, isOpen, start, end },
    boxes: annotation.boxes as PageBoxes[],
    mark: makeNoteMark(annotation),
    spoken: comment ? `${name}: ${comment}` : name,
  };
}

/** Make the mark of a highlight. */
export function makeNoteMark(annotation: Annotation): Mark {
  const { id, document, title, page, label, start, end, quote } = annotation;
  return {
    ...{ key: `${NOTE_MARK}${id}`, document, title, kind: null, tone: "low", n: null, page, label, start, end },
    ...{ boxes: annotation.boxes as PageBoxes[], quote, passage: null },
  };
}
