/** Makes documents and share links by the HTTP API, as the guest of one browser context. */
import { expect } from '@playwright/test'
import type { APIRequestContext, PlaywrightWorkerArgs } from '@playwright/test'
import type { Scheme, TestServer } from './server.ts'

export interface SharedDocument {
  readonly id: string
  /** The link's token by role. */
  readonly tokens: Readonly<Record<LinkRole, string>>
  /** Where a window opens it: by the way of the fault proxy when asked for. */
  url(role: LinkRole, way?: 'direct' | 'faulty'): string
}

type LinkRole = 'viewer' | 'editor'

export interface Door {
  newDocument(): Promise<SharedDocument>
  close(): Promise<void>
}

export async function openDoor(
  playwright: PlaywrightWorkerArgs['playwright'],
  server: TestServer,
  scheme: Scheme,
): Promise<Door> {
  const origin = server.origin(scheme)
  const api = await playwright.request.newContext({
    baseURL: origin,
    ignoreHTTPSErrors: true,
    extraHTTPHeaders: { Origin: origin },
  })
  const newDocument = async (): Promise<SharedDocument> => {
    const { id } = await post<{ id: string }>(api, '/api/documents', {})
    const token = async (role: LinkRole) =>
      (await post<{ token: string }>(api, `/api/documents/${id}/links`, { role })).token
    const tokens = { viewer: await token('viewer'), editor: await token('editor') }
    const base = { direct: origin, faulty: server.faultyOrigin(scheme) }
    return { id, tokens, url: (role, way = 'direct') => `${base[way]}/d/${id}#token=${tokens[role]}` }
  }
  return { newDocument, close: () => api.dispose() }
}

async function post<Body>(api: APIRequestContext, path: string, data: unknown): Promise<Body> {
  const response = await api.post(path, { data })
  expect(response.status(), `POST ${path}: ${await response.text()}`).toBe(201)
  return (await response.json()) as Body
}
