/** Create a function that runs `act` after a delay. Calls during the delay are merged into one. */
export function createCoalesced(act: () => void, milliseconds: number): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      act();
    }, milliseconds);
  };
}
