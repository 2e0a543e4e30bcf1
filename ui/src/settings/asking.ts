/** What this room asks of the server. */
import { got, server } from "../api/client";
import type { components, paths } from "../api/schema";
import { opened } from "../api/stream";

type Schemas = components["schemas"];

export type Model = Schemas["Model"];
export type Persona = Schemas["Persona"];
export type ServerSettings = Schemas["ShownSettings"];
export type Usage = paths["/api/usage"]["get"]["responses"]["200"]["content"]["application/json"];

/** How a judge did on the calibration set; `when` is in seconds since 1970. */
export interface Measured {
  agreed: number;
  total: number;
  passed: number;
  when: number;
}

/** Who judges: as the setting says, and which model that is; empty where nobody does. */
export interface JudgeSettings {
  setting: string;
  model: string;
  measured: Measured | null;
}

/** The same, and how far measuring it has come. */
export interface Calibration extends JudgeSettings {
  state: "idle" | "running" | "done" | "failed";
  done: number;
  total: number;
  error: string;
}

/** What a trial showed: of a model (how long it took), or of a search engine (how much it found). */
export interface Tested {
  ok: boolean;
  detail: string;
  hint: string;
  seconds?: number;
  results?: number;
}

/** The models that can be chosen. */
export const models = async (signal: AbortSignal): Promise<Model[]> => got(await server.GET("/api/models", { signal }));

/** The server's settings. */
export const settings = async (signal: AbortSignal): Promise<ServerSettings> =>
  got(await server.GET("/api/settings", { signal }));

/** What answers cost in the last thirty days. */
export const usage = async (signal: AbortSignal): Promise<Usage> => got(await server.GET("/api/usage", { signal }));

/** The saved personas. */
export const personas = async (signal: AbortSignal): Promise<Persona[]> =>
  got(await server.GET("/api/personas", { signal }));

/** Save a persona, a new one without id. */
export async function keepPersona(id: string | null, body: { name: string; instructions: string }): Promise<Persona> {
  if (id === null) return got(await server.POST("/api/personas", { body }));
  return got(await server.PUT("/api/personas/{persona}", { params: { path: { persona: id } }, body }));
}

/** Ask a model for a few words, to see whether it answers. */
export const testModel = async (model: string): Promise<Tested> =>
  got(await server.POST("/api/models/test", { body: { model } }));

/** Ask a search engine for something, to see whether it can be used. */
export const testSearch = async (url: string): Promise<Tested> =>
  got(await server.POST("/api/settings/search/test", { body: { url } }));

/** Keep the address of the search engine; "" goes back to the file's. */
export const keepSearch = async (search_url: string): Promise<ServerSettings> =>
  got(await server.PUT("/api/settings", { body: { search_url } }));

/** Who judges, of the server's settings; null where the server says nothing of it. */
export const judgeOf = (settings: ServerSettings): JudgeSettings | null =>
  (settings as { judge?: JudgeSettings | null }).judge ?? null;

/** Begin to measure the judge on the calibration set. */
export const measureJudge = async (): Promise<Calibration> =>
  (await opened("/api/judge/calibrate", { method: "POST" })).json();

/** How far the measurement of the judge has come. */
export const calibration = async (signal: AbortSignal): Promise<Calibration> =>
  (await opened("/api/judge", { signal })).json();
