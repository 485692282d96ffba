/** Offline, one page that was kept stands for every document, and one for every panel: see public/sw.js. They read the address. */
const shellId = 'AAAAAAAAAAAAAAAAAAAAAA'

export interface Address {
  readonly document: string
  readonly panel: string
}

/** /d/{document}/p/{panel} */
function addressIn(pathname: string): Address {
  const [, , document = shellId, , panel = ''] = pathname.split('/')
  return { document, panel }
}

/** In a browser only. */
export const addressOf = (given: Address): Address =>
  given.document === shellId ? addressIn(location.pathname) : given
