/** The requests about one's credits and referrals. */
import { server, unwrap } from "../api/client";
import type { components } from "../api/schema";

type Schemas = components["schemas"];

export type Credits = Awaited<ReturnType<typeof loadCredits>>;
export type Referral = Schemas["OwnReferral"];

/** Load the credits of the person in this month, and in the last ones. */
export const loadCredits = async (signal: AbortSignal) => unwrap(await server.GET("/api/usage", { signal }));

/** Load the referral code of the person. */
export const loadReferral = async (signal: AbortSignal): Promise<Referral> =>
  unwrap(await server.GET("/api/account/referral", { signal }));

/** Redeem the referral code of somebody else. Returns the credits that it gives in every month. */
export const redeemCode = async (code: string): Promise<number> =>
  unwrap(await server.POST("/api/account/referral", { body: { code } })).credits;
