/** The requests of the settings page. */
import { server, unwrap } from "../api/client";
import type { components, paths } from "../api/schema";
import { openStream } from "../api/serverSentEvents";

type Schemas = components["schemas"];

export type Model = Schemas["Model"];
export type Persona = Schemas["Persona"];
export type ServerSettings = Schemas["ShownSettings"];
export type Usage = paths["/api/usage"]["get"]["responses"]["200"]["content"]["application/json"];

/** The result of a judge on the calibration set. `when` is in seconds since 1970. */
export interface Measurement {
  agreed: number;
  total: number;
  passed: number;
  when: number;
}

/** The judge: the setting, and the model that it means; "" if there is none. */
export interface JudgeSettings {
  setting: string;
  model: string;
  measured: Measurement | null;
}

/** The judge, and the progress of its measurement. */
export interface Calibration extends JudgeSettings {
  state: "idle" | "running" | "done" | "failed";
  done: number;
  total: number;
  error: string;
}

/** The result of a test: of a model (its time), or of a search engine (its number of results). */
export interface TestResult {
  ok: boolean;
  detail: string;
  hint: string;
  seconds?: number;
  results?: number;
}

/** Load the models that can be chosen. */
export const loadModels = async (signal: AbortSignal): Promise<Model[]> =>
  unwrap(await server.GET("/api/models", { signal }));

/** Load the server's settings. */
export const loadSettings = async (signal: AbortSignal): Promise<ServerSettings> =>
  unwrap(await server.GET("/api/settings", { signal }));

/** Load the usage of the last thirty days. */
export const loadUsage = async (signal: AbortSignal): Promise<Usage> =>
  unwrap(await server.GET("/api/usage", { signal }));

/** Load the personas. */
export const loadPersonas = async (signal: AbortSignal): Promise<Persona[]> =>
  unwrap(await server.GET("/api/personas", { signal }));

/** Save a persona; a new one has no id. */
export async function savePersona(id: string | null, body: { name: string; instructions: string }): Promise<Persona> {
  if (id === null) return unwrap(await server.POST("/api/personas", { body }));
  return unwrap(await server.PUT("/api/personas/{persona}", { params: { path: { persona: id } }, body }));
}

/** Test whether a model answers. */
export const testModel = async (model: string): Promise<TestResult> =>
  unwrap(await server.POST("/api/models/test", { body: { model } }));

/** Test whether a search engine can be used. */
export const testSearch = async (url: string): Promise<TestResult> =>
  unwrap(await server.POST("/api/settings/search/test", { body: { url } }));

/** Save the address of the search engine; "" restores the one in the settings file. */
export const saveSearchUrl = async (search_url: string): Promise<ServerSettings> =>
  unwrap(await server.PUT("/api/settings", { body: { search_url } }));

/** Return the judge in the server's settings; null if the server does not report one. */
export const getJudge = (settings: ServerSettings): JudgeSettings | null =>
  (settings as { judge?: JudgeSettings | null }).judge ?? null;

/** Start to measure the judge on the calibration set. */
export const startCalibration = async (): Promise<Calibration> =>
  (await openStream("/api/judge/calibrate", { method: "POST" })).json();

/** Load the progress of the measurement. */
export const loadCalibration = async (signal: AbortSignal): Promise<Calibration> =>
  (await openStream("/api/judge", { signal })).json();
