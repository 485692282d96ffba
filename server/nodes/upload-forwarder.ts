/**
 * Forwards requests of an upload to the node that has what arrived of it, wherever a balancer sends them. It knows addresses of files and
 * names of nodes; the node that has the upload checks who asks.
 */
import type { Kysely } from 'kysely'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { readFilePath } from '../files/file-path.ts'
import { findUploadNode } from '../files/file-records.ts'
import type { GatewayRequest, GatewayResponse } from '../gateways/gateway-request.ts'
import type { HttpRefusal } from '../gateways/http-refusals.ts'
import { pathOf, peerOf } from '../http-answers.ts'
import type { Database } from '../store/schema.ts'
import { forwardedOriginOf } from './forwarded-origin.ts'
import type { RequestForwarder } from './request-forwarder.ts'

/** Returns true where the request was forwarded. */
export type ForwardUpload = (
  request: GatewayRequest,
  response: GatewayResponse,
  secure: boolean,
) => Promise<boolean>

/** The client asks again, and is answered by a node that lives. */
const lostRefusal: HttpRefusal = {
  status: 503,
  code: 'unavailable',
  message: serverRefusalsStrings.gateway.noLink,
}

export const createUploadForwarder =
  (db: Kysely<Database>, forwarder: RequestForwarder): ForwardUpload =>
  async (request, response, secure) => {
    const isOfUpload = request.headers['tus-resumable'] !== undefined
    const address = isOfUpload ? readFilePath(pathOf(request) ?? '') : null
    if (!address || forwardedOriginOf(request)) return false
    const node = await findUploadNode(db, address)
    if (!node) return false
    const { method = 'GET', headers } = request
    const accessRequest = { method, headers, secure, peer: peerOf(request) }
    const exchange = { request, response, accessRequest, body: Promise.resolve(new Uint8Array()) }
    return forwarder.forward(node, exchange, new Uint8Array(), lostRefusal)
  }
