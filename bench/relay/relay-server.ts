/**
 * A bare relay: it sends each window's frames to all others, and an answer back. It has no sessions, documents and store, so that what
 * is left is the cost of the transport, the browser and the machine. Runs as a process; RELAY_ANSWER is the answer in base64, and
 * RELAY_OVER_H2 says whether a WebSocket may go within HTTP/2.
 */
import type { EventEmitter } from 'node:events'
import { createSecureServer } from 'node:http2'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { RecordDecoder } from '../../lib/protocol/record-decoder.ts'
import { encodeRecords } from '../../lib/protocol/records.ts'
import { certificateFor } from '../../server/certificate.ts'
import { readConfig } from '../../server/config.ts'
import { serveProgram } from '../support/serve-program.ts'

type Send = (frame: Uint8Array) => void

const answer = Buffer.from(process.env.RELAY_ANSWER ?? '', 'base64')
/** The open windows by name. There is one group of windows at a time. */
const windows = new Map<string, Send>()

function relayFrame(from: string, frame: Uint8Array): void {
  for (const [name, send] of windows) if (name !== from) send(frame)
  windows.get(from)?.(answer)
}

/** Adds a window until its connection closes, or another window takes its name. */
function addWindow(name: string, connection: EventEmitter, send: Send): void {
  windows.set(name, send)
  connection.once('close', () => {
    if (windows.get(name) === send) windows.delete(name)
  })
}

const addressOf = (url = ''): { path: string; name: string } => {
  const { pathname, searchParams } = new URL(url, 'https://relay')
  return { path: pathname, name: searchParams.get('window') ?? '' }
}

function answerRequest(request: Http2ServerRequest, response: Http2ServerResponse): void {
  const { path, name } = addressOf(request.url)
  if (path === '/events') return openEvents(name, response)
  if (path === '/stream') return openStream(name, response)
  if (path === '/up') return receiveBody(name, request, response)
  response.writeHead(path === '/' ? 200 : 404, { 'content-type': 'text/html' })
  response.end(path === '/' ? '<!doctype html><title>Relay</title><body>' : '')
}

function openEvents(name: string, response: Http2ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const { stream } = response
  stream.write(':\n\n')
  addWindow(name, stream, (frame) => stream.write(`data:${Buffer.from(frame).toString('base64')}\n\n`))
}

function openStream(name: string, response: Http2ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' })
  const { stream } = response
  stream.write(encodeRecords([Uint8Array.of(0)]))
  addWindow(name, stream, (frame) => stream.write(encodeRecords([frame])))
}

function receiveBody(name: string, request: Http2ServerRequest, response: Http2ServerResponse): void {
  const decoder = new RecordDecoder({ onFrame: (frame) => relayFrame(name, frame), onControl: () => {} })
  request.on('data', (chunk: Buffer<ArrayBuffer>) => decoder.push(chunk))
  request.on('end', () => response.writeHead(204).end())
  request.on('error', () => {})
}

function addWebSocket(webSocket: WebSocket, url: string | undefined): void {
  const { name } = addressOf(url)
  webSocket.on('message', (data: Buffer) => relayFrame(name, data))
  addWindow(name, webSocket, (frame) => webSocket.send(frame))
}

// Browsers speak HTTP/2 by TLS alone.
const { cert, key } = await certificateFor(readConfig({ DATA_DIR: process.env.DATA_DIR }))
const enableConnectProtocol = process.env.RELAY_OVER_H2 === 'on'
const server = createSecureServer({
  allowHTTP1: true,
  noDelay: true,
  settings: { enableConnectProtocol },
  cert,
  key,
})
// Node 24 takes this as an option of http servers alone, but calls it here, too.
Object.assign(server, { shouldUpgradeCallback: () => true })
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
server.on('request', answerRequest)
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (webSocket) => addWebSocket(webSocket, request.url))
})
server.on('connect', ({ url }: Http2ServerRequest, response: Http2ServerResponse) => {
  const { stream } = response
  stream.respond({ ':status': 200 })
  const webSocket = new WebSocket(null as unknown as string, undefined, {})
  // `ws` itself calls it after the handshake; its types leave it out.
  const over = webSocket as unknown as { setSocket(socket: Duplex, head: Buffer, options: object): void }
  over.setSocket(stream, Buffer.alloc(0), { allowSynchronousEvents: true, maxPayload: 1024 * 1024 })
  addWebSocket(webSocket, url)
})
await serveProgram({ https: server })
