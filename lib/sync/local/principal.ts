/** As whom the server knew this browser last: whose text may be shown here, and sent. Storage can be forbidden. */

const key = 'diptych.principal'

/** '' where it is not known. */
export function rememberedPrincipal(): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

export function rememberPrincipal(principal: string): void {
  try {
    localStorage.setItem(key, principal)
  } catch {
    // Then each page load waits for the server to say so.
  }
}
