/** Creates documents and share links by the HTTP API, as the guest of one browser context. */
import { expect } from '@playwright/test'
import type { APIRequestContext, PlaywrightWorkerArgs } from '@playwright/test'
import type { Scheme, BrowserTestServer } from './browser-test-server.ts'

export interface OpenableDocument {
  readonly id: string
  /** The link's token for each role. */
  readonly tokens: Readonly<Record<LinkRole, string>>
  /** Returns the address that a window opens: through the fault proxy on request. */
  url(role: LinkRole, route?: 'direct' | 'faulty'): string
}

type LinkRole = 'viewer' | 'editor'

export interface DocumentApi {
  createDocument(): Promise<OpenableDocument>
  close(): Promise<void>
}

export async function openDocumentApi(
  playwright: PlaywrightWorkerArgs['playwright'],
  server: BrowserTestServer,
  scheme: Scheme,
): Promise<DocumentApi> {
  const origin = server.origin(scheme)
  const api = await playwright.request.newContext({
    baseURL: origin,
    ignoreHTTPSErrors: true,
    extraHTTPHeaders: { Origin: origin },
  })
  const createDocument = async (): Promise<OpenableDocument> => {
    const { id } = await postJson<{ id: string }>(api, '/api/documents', {})
    const createLinkToken = async (role: LinkRole) =>
      (await postJson<{ token: string }>(api, `/api/documents/${id}/links`, { role })).token
    const tokens = { viewer: await createLinkToken('viewer'), editor: await createLinkToken('editor') }
    const origins = { direct: origin, faulty: server.faultyOrigin(scheme) }
    return { id, tokens, url: (role, route = 'direct') => `${origins[route]}/d/${id}#token=${tokens[role]}` }
  }
  return { createDocument, close: () => api.dispose() }
}

async function postJson<Body>(api: APIRequestContext, path: string, data: unknown): Promise<Body> {
  const response = await api.post(path, { data })
  expect(response.status(), `POST ${path}: ${await response.text()}`).toBe(201)
  return (await response.json()) as Body
}
