/** The principal that the server last named for this browser: whose text may be shown here, and sent. Storage can be forbidden. */

export const principalKey = 'diptych.principal'

/** Returns '' where it is not known. */
export function rememberedPrincipal(): string {
  try {
    return localStorage.getItem(principalKey) ?? ''
  } catch {
    return ''
  }
}

export function rememberPrincipal(principal: string): void {
  try {
    localStorage.setItem(principalKey, principal)
  } catch {
    // Then each page load waits for the server to name the principal.
  }
}
