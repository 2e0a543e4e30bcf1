/** The used credits by person and month, laid out for a plot of stacked bars. */

/** The credits that people used: one amount for each month, the earliest first. */
export interface PeopleUsage {
  /** As "2031-05", in UTC. */
  months: string[];
  people: { id: string; name: string; credits: number[] }[];
  server: { spent: number; allowed: number | null };
}

/** A person in the plot; `tone` is the number of their colour. */
export interface Series {
  id: string;
  /** "" for all the people who have no colour of their own. */
  name: string;
  tone: number;
  credits: number[];
}

export interface Plot {
  months: string[];
  series: Series[];
  totals: number[];
  /** The amounts at which a line is drawn, from 0 to the highest of the plot. */
  ticks: number[];
  /** The server's allowance; null if there is none. */
  allowed: number | null;
  /** Whether the allowance is drawn. One far above all bars would leave nothing of them. */
  isAllowanceShown: boolean;
}

/** People who have a colour of their own. The others are one bar. */
export const TONES = 6;
const OTHERS = "";
/** How many times higher than the highest bar the allowance may be drawn. */
const MAX_HEADROOM = 4;

/** Lay out the usage: those who used most have a colour of their own, and people without usage are left out. */
export function makePlot({ months, people, server }: PeopleUsage): Plot {
  const sum = (credits: readonly number[]) => credits.reduce((total, each) => total + each, 0);
  const spending = people.filter(({ credits }) => sum(credits) > 0).sort((a, b) => sum(b.credits) - sum(a.credits));
  const isCrowded = spending.length > TONES;
  const shown = isCrowded ? spending.slice(0, TONES - 1) : spending;
  const series = shown.map(({ id, name, credits }, tone) => ({ id, name, tone, credits }));
  if (isCrowded) {
    const rest = spending.slice(TONES - 1);
    const credits = months.map((_, month) => sum(rest.map((each) => each.credits[month] ?? 0)));
    series.push({ id: OTHERS, name: OTHERS, tone: TONES - 1, credits });
  }
  const totals = months.map((_, month) => sum(series.map((each) => each.credits[month] ?? 0)));
  const highest = Math.max(0, ...totals);
  const { allowed } = server;
  const isAllowanceShown = allowed !== null && allowed > 0 && allowed <= Math.max(highest, 1) * MAX_HEADROOM;
  const ticks = listTicks(Math.max(highest, isAllowanceShown ? allowed : 0));
  return { months, series, totals, ticks, allowed, isAllowanceShown };
}

/** List round amounts from 0 to one that is not lower than `highest`. */
export function listTicks(highest: number): number[] {
  const rough = Math.max(highest, 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough);
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}
