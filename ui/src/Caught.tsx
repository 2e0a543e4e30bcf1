import { Component, type ReactNode } from "react";
import { asProblem, type Problem } from "./api/problem";

interface CaughtProps {
  broken: (problem: Problem) => ReactNode;
  children: ReactNode;
}

/** Part of the page; when it breaks, or cannot be loaded, `broken` stands in its place and the rest stays. */
export class Caught extends Component<CaughtProps, { problem: Problem | null }> {
  override state = { problem: null };

  static getDerivedStateFromError(error: unknown) {
    return { problem: asProblem(error) };
  }

  override render() {
    return this.state.problem ? this.props.broken(this.state.problem) : this.props.children;
  }
}
