/** Offline, one cached page serves every document, and another every panel (see public/sw.js). They read their address here. */
const shellDocumentId = 'AAAAAAAAAAAAAAAAAAAAAA'

export interface DocumentAddress {
  readonly document: string
  readonly panel: string
}

/** Parses /d/{document}/p/{panel}. */
function parseAddress(pathname: string): DocumentAddress {
  const [, , document = shellDocumentId, , panel = ''] = pathname.split('/')
  return { document, panel }
}

/** Works only in a browser. */
export const resolveAddress = (routeAddress: DocumentAddress): DocumentAddress =>
  routeAddress.document === shellDocumentId ? parseAddress(location.pathname) : routeAddress
