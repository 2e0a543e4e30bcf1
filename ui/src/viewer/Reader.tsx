import type { ReactNode } from "react";
import type { Mark } from "../desk";
import { useWords } from "../words";
import { IconButton } from "./IconButton";
import { Shown } from "./Shown";
import { State } from "./States";
import { useSource } from "./source";
import { Title } from "./Title";
import "./viewer.css";
import "./panel.css";
import "./pages.css";
import "./clean.css";

/** What is read, and where in it; `turn` changes with every wish to go somewhere. */
export interface Reading {
  document: string;
  page: number | null;
  chosen: string | null;
  marks: Mark[];
  turn: number;
}

export interface ReaderProps {
  reading: Reading;
  onChoose: (mark: Mark) => void;
  onStep: (by: 1 | -1) => void;
  onClose: (() => void) | null;
  /** Opens another document in this one's place. */
  onOther: (document: string) => void;
  /** What stands beside the title, made from it. */
  lead?: (title: string) => ReactNode;
}

/** A source with its marks, in whatever state it is. */
export function Reader(props: ReaderProps) {
  const say = useWords();
  const { reading, onClose } = props;
  const { source, again } = useSource(reading.document);
  if (source.is === "there") {
    return <Shown key={source.document.id} document={source.document} sheets={source.sheets} {...props} />;
  }
  const known = "document" in source ? source.document.title : reading.marks.find(isOf(reading.document))?.title;
  return (
    <div className="reader">
      <header className="viewer-bar">
        <h2>
          <Title text={known || say("viewer.source")} />
        </h2>
        {onClose && <IconButton icon="close" label={say("viewer.close")} onClick={onClose} />}
      </header>
      <State source={source} again={again} />
    </div>
  );
}

function isOf(document: string) {
  return (mark: Mark) => mark.document === document;
}
