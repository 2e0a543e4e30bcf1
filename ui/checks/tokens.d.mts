export function checkStyleSheet(source: string): string[];
export function checkComponent(source: string): string[];
export function checkNames(tokens: string, others: string): string[];
