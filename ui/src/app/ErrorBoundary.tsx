import { Component, type ReactNode } from "react";
import { type Problem, toProblem } from "../api/problem";

interface ErrorBoundaryProps {
  fallback: (problem: Problem) => ReactNode;
  children: ReactNode;
}

/** Shows `fallback` in place of its children when they throw or cannot be loaded. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { problem: Problem | null }> {
  override state = { problem: null };

  static getDerivedStateFromError(error: unknown) {
    return { problem: toProblem(error) };
  }

  override render() {
    return this.state.problem ? this.props.fallback(this.state.problem) : this.props.children;
  }
}
