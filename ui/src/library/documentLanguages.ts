/** Return the name of a language, such as `fr`, in the language of the page. */
export function nameLanguage(code: string, language: string): string {
  try {
    return new Intl.DisplayNames([language], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}
