/** The requests about one's own account. */
import { server, unwrap } from "../api/client";
import type { components } from "../api/schema";

type Schemas = components["schemas"];

export type Session = Schemas["SessionInfo"];
export type Token = Schemas["TokenInfo"];
export type MadeToken = Schemas["MadeToken"];
export type TokenRequest = Schemas["TokenRequest"];
export type Invitation = Schemas["InvitationInfo"];

/** Load who is signed in. */
export const loadAccount = async () => unwrap(await server.GET("/api/account"));

/** Sign in with a name or an e-mail address, and a password. */
export const signIn = async (name: string, password: string) =>
  unwrap(await server.POST("/api/account/sign-in", { body: { name, password } }));

/** End the session of this browser. */
export async function signOut(): Promise<void> {
  await server.POST("/api/account/sign-out");
}

/** Begin a session without an account. */
export const continueAsGuest = async () => unwrap(await server.POST("/api/account/guest"));

/** Read an invitation. */
export const readInvitation = async (secret: string): Promise<Invitation> =>
  unwrap(await server.POST("/api/account/invitation", { body: { secret } }));

/** Make the account of an invitation, and sign in. */
export const join = async (body: Schemas["Join"]) => unwrap(await server.POST("/api/account/join", { body }));

/** Set a new password with the secret of a link. */
export async function resetPassword(secret: string, password: string): Promise<void> {
  await server.POST("/api/account/reset", { body: { secret, password } });
}

/** Change one's password. All other sessions end. */
export async function changePassword(old: string, password: string): Promise<void> {
  await server.PUT("/api/account/password", { body: { old, new: password } });
}

/** Load where one is signed in. */
export const loadSessions = async (signal: AbortSignal): Promise<Session[]> =>
  unwrap(await server.GET("/api/account/sessions", { signal })).sessions;

/** End one session. */
export async function endSession(session: string): Promise<void> {
  await server.DELETE("/api/account/sessions/{session}", { params: { path: { session } } });
}

/** End all sessions but this one. Returns how many. */
export const endOtherSessions = async (): Promise<number> => unwrap(await server.DELETE("/api/account/sessions")).ended;

/** Load one's tokens. */
export const loadTokens = async (signal: AbortSignal): Promise<Token[]> =>
  unwrap(await server.GET("/api/account/tokens", { signal })).tokens;

/** Make a token. Its secret is in the answer alone. */
export const makeToken = async (body: TokenRequest): Promise<MadeToken> =>
  unwrap(await server.POST("/api/account/tokens", { body }));

/** Revoke a token. */
export async function revokeToken(token: string): Promise<void> {
  await server.DELETE("/api/account/tokens/{token}", { params: { path: { token } } });
}

/** Where one's data can be downloaded. */
export const EXPORT_PATH = "/api/account/export";

/** Delete one's account and everything in it. Guests have no password. */
export async function deleteAccount(password: string): Promise<void> {
  await server.DELETE("/api/account", { body: { password } });
}
