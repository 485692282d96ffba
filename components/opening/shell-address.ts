/** Offline, one page that was kept stands for every document, and one for every panel: see public/sw.js. They read the address. */
const shellDocumentId = 'AAAAAAAAAAAAAAAAAAAAAA'

export interface DocumentAddress {
  readonly document: string
  readonly panel: string
}

/** /d/{document}/p/{panel} */
function parseAddress(pathname: string): DocumentAddress {
  const [, , document = shellDocumentId, , panel = ''] = pathname.split('/')
  return { document, panel }
}

/** In a browser only. */
export const resolveAddress = (routeAddress: DocumentAddress): DocumentAddress =>
  routeAddress.document === shellDocumentId ? parseAddress(location.pathname) : routeAddress
