/** As whom the server knew this browser last: whose text may be shown here, and sent. Storage can be forbidden. */

export const principalKey = 'diptych.principal'

/** '' where it is not known. */
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
    // Then each page load waits for the server to say so.
  }
}
