/** Where the page goes after a sign-in. */

const OUTSIDE = /^\/(sign-in|join|reset|shared|api|docs|openapi\.json)(?:[/?#]|$)/;

/** Return the path to go to after a sign-in: a view of this page, or "/" if the given one is anything else. */
export function checkReturnPath(given: string | null): string {
  if (!given?.startsWith("/") || /[\\\p{Cc}]/u.test(given)) return "/";
  const here = "http://page.invalid";
  if (!URL.canParse(given, here)) return "/";
  const { origin, pathname, search, hash } = new URL(given, here);
  // A path that begins with // is another host for the browser.
  if (origin !== here || pathname.startsWith("//") || OUTSIDE.test(pathname)) return "/";
  return pathname + search + hash;
}

/** Return the address of the sign-in form that leads back to this place. */
export function makeSignInPath({ pathname, search, hash }: Pick<Location, "pathname" | "search" | "hash">): string {
  const path = checkReturnPath(pathname + search + hash);
  return path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`;
}
