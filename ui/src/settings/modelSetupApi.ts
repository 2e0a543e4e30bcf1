/** The requests that set the models of the server. */
import { server, unwrap } from "../api/client";
import type { components } from "../api/schema";

type Schemas = components["schemas"];

export type SetupState = Schemas["ModelSetupState"];
export type SetupProvider = Schemas["ShownProvider"];
export type AddedModel = Schemas["ShownModel"];
export type FoundServer = Schemas["FoundServer"];
export type Trial = Schemas["TrialResult"];
export type Check = Trial["check"];
export type Role = "chat" | "system" | "judge";

/** What a person gives of a provider; `key` null keeps the stored one. */
export interface GivenProvider {
  name: string;
  key: string | null;
  url: string;
  plain: boolean;
}

/** Load the providers, the added models and the model of each role. */
export const loadSetup = async (signal: AbortSignal): Promise<SetupState> =>
  unwrap(await server.GET("/api/models/setup", { signal }));

/** Find the servers of models on the server's machine. */
export const findServers = async (signal: AbortSignal): Promise<FoundServer[]> =>
  unwrap(await server.GET("/api/models/local", { signal }));

/** Store a provider; returns the models that it lists. */
export async function saveProvider({ name, key, url, plain }: GivenProvider): Promise<string[]> {
  const params = { path: { provider: name } };
  return unwrap(await server.PUT("/api/models/providers/{provider}", { params, body: { key, url, plain } })).models;
}

/** List the models of a provider that is set. */
export async function listModels(provider: string): Promise<string[]> {
  const params = { path: { provider } };
  return unwrap(await server.GET("/api/models/providers/{provider}/models", { params })).models;
}

/** Remove a provider with its key and its models. */
export async function removeProvider(provider: string): Promise<void> {
  unwrap(await server.DELETE("/api/models/providers/{provider}", { params: { path: { provider } } }));
}

/** Give a role to a model; "" restores the settings file. */
export const setRole = async (role: Role, model: string): Promise<SetupState> =>
  unwrap(await server.PUT("/api/models/roles", { body: { [role]: model } }));

/** Offer a model at the question. */
export const addModel = async (model: string): Promise<AddedModel> =>
  unwrap(await server.POST("/api/models/added", { body: { model } }));

/** Offer a model no longer. */
export async function removeModel(model: string): Promise<void> {
  unwrap(await server.DELETE("/api/models/added", { params: { query: { model } } }));
}

/** Try with one real request what a model can do. */
export const tryModel = async (model: string, check: Check): Promise<Trial> =>
  unwrap(await server.POST("/api/models/try", { body: { model, check } }));

/** Return the model's own name, without its provider. */
export const nameModel = (model: string): string => model.slice(model.indexOf(":") + 1);
