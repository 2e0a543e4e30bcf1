/** The requests about sharing libraries and conversations. */
import { server, unwrap } from "../api/client";
import type { components } from "../api/schema";

type Schemas = components["schemas"];

export type Share = Schemas["ShareInfo"];
export type Access = Share["access"];
export type Directory = Schemas["Directory"];
export type ConversationLink = Schemas["SharedLink"];
export type SharedConversation = Awaited<ReturnType<typeof openSharedConversation>>;

/** With whom a library is shared: a person, a group, or everyone on the server. */
export type Receiver = { person: string } | { group: string } | { everyone: true };

const of = (library: string) => ({ params: { path: { library } } });

/** Load the people and groups with whom something can be shared. */
export const loadDirectory = async (signal: AbortSignal): Promise<Directory> =>
  unwrap(await server.GET("/api/directory", { signal }));

/** Load with whom a library is shared. */
export const loadShares = async (library: string, signal: AbortSignal): Promise<Share[]> =>
  unwrap(await server.GET("/api/libraries/{library}/shares", { ...of(library), signal })).shares;

/** Share a library, or change the access of those with whom it is shared. */
export const shareLibrary = async (library: string, receiver: Receiver, access: Access): Promise<unknown> =>
  server.POST("/api/libraries/{library}/shares", { ...of(library), body: { everyone: false, ...receiver, access } });

/** Take a share back. */
export const unshareLibrary = async (library: string, share: string): Promise<unknown> =>
  server.DELETE("/api/libraries/{library}/shares/{share}", { params: { path: { library, share } } });

/** Load the links to a conversation. */
export const loadLinks = async (conversation: string, signal: AbortSignal): Promise<ConversationLink[]> =>
  unwrap(await server.GET("/api/conversations/{conversation}/links", { params: { path: { conversation } }, signal }))
    .links;

/** Make a link to a conversation that works for so many days, or until it is taken back. */
export const makeLink = async (conversation: string, days: number | null): Promise<Schemas["MadeLink"]> =>
  unwrap(
    await server.POST("/api/conversations/{conversation}/links", {
      params: { path: { conversation } },
      body: { days },
    }),
  );

/** Take a link to a conversation back. */
export const removeLink = async (conversation: string, link: string): Promise<unknown> =>
  server.DELETE("/api/conversations/{conversation}/links/{link}", { params: { path: { conversation, link } } });

/** Load the conversation behind a link. */
export const openSharedConversation = async (secret: string, signal: AbortSignal) =>
  unwrap(await server.POST("/api/shared-conversation", { body: { secret }, signal }));
