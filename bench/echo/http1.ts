/** HTTP/1.1 as this client and this server write it, in bytes. */

/** How an HTTP version carries pieces of a long body, and whole requests with their answers. */
export interface Http {
  piece(bytes: number): number
  request(path: string, bytes: number, authority: string): number
  readonly noContent: number
  answer(bytes: number): number
}

export const headBytes = (...lines: readonly string[]): number =>
  lines.reduce((sum, { length }) => sum + length + 2, 2)

const dated = [
  'Date: Sat, 21 Nov 2026 12:00:00 GMT',
  'Connection: keep-alive',
  'Keep-Alive: timeout=65',
] as const

/** Of a request. @param what Method and path. */
export const requestHead = (what: string, authority: string, ...lines: readonly string[]): number =>
  headBytes(`${what} HTTP/1.1`, ...lines, `Host: ${authority}`, 'Connection: keep-alive')

interface Http1 extends Http {
  /** An answer in JSON to a request that made something. */
  created(bytes: number): number
  /** The head of an answer that goes on in pieces. */
  streamed(type: string): number
}

export const http1: Http1 = {
  piece: (bytes) => bytes.toString(16).length + 2 + bytes + 2,
  request: (path, bytes, authority) =>
    bytes + requestHead(`POST ${path}`, authority, `content-length: ${bytes}`),
  noContent: headBytes('HTTP/1.1 204 No Content', ...dated),
  answer: (bytes) =>
    bytes +
    headBytes(
      'HTTP/1.1 200 OK',
      'content-type: application/octet-stream',
      `content-length: ${bytes}`,
      'cache-control: no-store, no-transform',
      'x-content-type-options: nosniff',
      ...dated,
    ),
  created: (bytes) =>
    bytes +
    headBytes(
      'HTTP/1.1 201 Created',
      'content-type: application/json',
      `content-length: ${bytes}`,
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      ...dated,
    ),
  streamed: (type) =>
    headBytes(
      'HTTP/1.1 200 OK',
      `content-type: ${type}`,
      'cache-control: no-store, no-transform',
      'x-accel-buffering: no',
      ...dated,
      'Transfer-Encoding: chunked',
    ),
}
