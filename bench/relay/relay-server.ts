/**
 * A bare relay: what one window sends goes to all others, and an answer back. No sessions, no documents, no store: what is left
 * is the cost of the transport, of this browser and of this machine. Run as a process; RELAY_ANSWER is the answer in base64,
 * RELAY_OVER_H2 whether a WebSocket may go within HTTP/2.
 */
import type { EventEmitter } from 'node:events'
import { createSecureServer } from 'node:http2'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { encodeRecords, RecordDecoder } from '../../lib/protocol/records.ts'
import { certificateFor } from '../../server/certificate.ts'
import { readConfig } from '../../server/config.ts'

type Send = (frame: Uint8Array) => void

const answer = Buffer.from(process.env.RELAY_ANSWER ?? '', 'base64')
/** By the name of the window: one group at a time. */
const windows = new Map<string, Send>()

function passOn(from: string, frame: Uint8Array): void {
  for (const [name, send] of windows) if (name !== from) send(frame)
  windows.get(from)?.(answer)
}

/** Until its way down closes, or another window comes by that name. */
function addWindow(name: string, way: EventEmitter, send: Send): void {
  windows.set(name, send)
  way.once('close', () => {
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
  if (path === '/up') return takeBody(name, request, response)
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

function takeBody(name: string, request: Http2ServerRequest, response: Http2ServerResponse): void {
  const decoder = new RecordDecoder({ onFrame: (frame) => passOn(name, frame), onControl: () => {} })
  request.on('data', (chunk: Buffer<ArrayBuffer>) => decoder.push(chunk))
  request.on('end', () => response.writeHead(204).end())
  request.on('error', () => {})
}

// Only TLS is of use here: browsers speak HTTP/2 no other way.
const { cert, key } = await certificateFor(readConfig({ DATA_DIR: process.env.DATA_DIR }))
const enableConnectProtocol = process.env.RELAY_OVER_H2 === 'on'
const server = createSecureServer({
  allowHTTP1: true,
  noDelay: true,
  settings: { enableConnectProtocol },
  cert,
  key,
})
// Node 24 takes the option on http servers alone, and misses it on this one.
Object.assign(server, { shouldUpgradeCallback: () => true })
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
server.on('request', answerRequest)
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    const { name } = addressOf(request.url)
    webSocket.on('message', (data: Buffer) => passOn(name, data))
    addWindow(name, webSocket, (frame) => webSocket.send(frame))
  })
})
server.on('connect', ({ url }: Http2ServerRequest, response: Http2ServerResponse) => {
  const { stream } = response
  stream.respond({ ':status': 200 })
  const webSocket = new WebSocket(null as unknown as string, undefined, {})
  const { name } = addressOf(url)
  webSocket.on('message', (data: Buffer) => passOn(name, data))
  // What `ws` itself does once it has shaken hands; its types leave it out.
  const over = webSocket as unknown as { setSocket(socket: Duplex, head: Buffer, options: object): void }
  over.setSocket(stream, Buffer.alloc(0), { allowSynchronousEvents: true, maxPayload: 1024 * 1024 })
  addWindow(name, webSocket, (frame) => webSocket.send(frame))
})
server.listen(0, '127.0.0.1', () => {
  console.log(`https://localhost:${(server.address() as AddressInfo).port} `)
})
process.on('SIGTERM', () => process.exit(0))
