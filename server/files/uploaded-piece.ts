/** Whether the body of a request is a piece of a file: then it may be longer than those of the rest of the API, and is read as it comes. */
export const isUploadedPiece = (method: string, pathname: string): boolean =>
  method === 'PATCH' && /^\/api\/documents\/[^/]+\/files\/[^/]+$/.test(pathname)
