/** What happens to proposals when their originals, authors and readers come and go. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { readConfig } from '../config.ts'
import { createLocalHub } from '../fanout/local.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { shareAccessEvents } from '../nodes/access-events.ts'
import { createRetention } from '../retention/retention.ts'
import { readBytesOf } from '../store/document-sizes.ts'
import { openProposalFixture, type ProposalFixture } from './fixtures/proposal-fixture.ts'

let fixture: ProposalFixture
beforeAll(async () => {
  fixture = await openProposalFixture()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const call = (...request: Parameters<ProposalFixture['callDocuments']>) => fixture.callDocuments(...request)

async function sweep(): Promise<number> {
  const clock = {
    now: Date.now,
    after(_ms: number, run: () => void) {
      const timer = setImmediate(run)
      return () => clearImmediate(timer)
    },
  }
  const onDocumentDeleted = (): void => {}
  const config = readConfig({})
  const retention = createRetention({ db: fixture.db, log: silentLogger, config, onDocumentDeleted, clock })
  const { documents } = await retention.sweep()
  await retention.close()
  return documents
}

/** How many rows of all tables name the document. */
async function countRows(document: string): Promise<number> {
  const tables = (await fixture.db.introspection.getTables()).filter(({ columns }) =>
    columns.some(({ name }) => name === 'document'),
  )
  const counts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{
        count: number
      }>`select count(*) as count from ${sql.table(name)} where document = ${document}`.execute(fixture.db)
      return rows[0]!.count
    }),
  )
  const own = await fixture.db.selectFrom('documents').select('id').where('id', '=', document).execute()
  return counts.reduce((sum, count) => sum + count, own.length)
}

test('in the trash with the original its windows are put out, and it comes back as it was', async () => {
  const { document, proposal, owner, author } = await fixture.openProposal()
  const window = await fixture.open(proposal, author)
  await window.type('Mine. ', 0)
  await call(owner, 'DELETE', document)
  await waitUntil(() => window.evictionReason?.code === 'forbidden')
  await expect(fixture.open(proposal, author)).rejects.toThrow()
  await fixture.call('POST', `/api/trash/${document}/restore`, { cookie: owner.cookie })
  expect((await fixture.open(proposal, author)).text).toBe('Mine. Once upon a time.')
})

test('its author is put out with their access, and the editors keep what was proposed', async () => {
  const { document, proposal, path, owner, editor, author } = await fixture.openProposal()
  const [window, editorWindow] = [await fixture.open(proposal, author), await fixture.open(proposal, editor)]
  await window.type('Mine. ', 0)
  await fixture.access.removePerson(document, author.principal.id, owner.principal)
  await waitUntil(() => window.evictionReason?.code === 'forbidden')
  for (const [method, route] of [
    ['GET', path],
    ['POST', `${path}/reopen`],
    ['POST', `${path}/accept`],
    ['GET', `${document}/proposals`],
  ] as const)
    expect((await call(author, method, route, method === 'POST' ? {} : undefined)).status).toBe(404)
  await editorWindow.type('Ours. ', 0)
  expect((await call(editor, 'POST', `${path}/accept`, {})).status).toBe(200)
  expect((await fixture.load(document)).getText('trace').toJSON()).toBe('Ours. Mine. Once upon a time.')
})

test('who has lost the original still withdraws and deletes what they proposed, which takes their space', async () => {
  const { document, proposal, path, owner, editor, author } = await fixture.openProposal()
  const other = await call(editor, 'POST', `${document}/proposals`, {})
  await fixture.access.removePerson(document, author.principal.id, owner.principal)
  const { status, json } = await call(author, 'POST', `${path}/withdraw`)
  expect([status, json]).toMatchObject([200, { state: 'withdrawn', mayDecide: false, mayWrite: false }])
  expect((await call(author, 'POST', `${path}/reopen`)).status).toBe(404)
  expect((await call(author, 'DELETE', `${document}/proposals/${other.json['id']}`)).status).toBe(404)
  expect((await call(author, 'DELETE', path)).status).toBe(204)
  expect(await sweep()).toBe(1)
  expect(await countRows(proposal)).toBe(0)
})

test('whoever has the original open is told of each change, and so is whoever has the proposal open', async () => {
  const { document, proposal, path, ownerWindow, owner, editor, author } = await fixture.openProposal()
  const window = await fixture.open(proposal, author)
  const isTold = async (change: () => Promise<unknown>) => {
    const told = [ownerWindow.roles.length, window.roles.length]
    await change()
    await waitUntil(() => ownerWindow.roles.length > told[0]! && window.roles.length > told[1]!)
  }
  await isTold(() => call(editor, 'POST', `${document}/proposals`, {}))
  await isTold(() => call(editor, 'PATCH', `${path}/decisions`, { keys: ['a'], decision: 'rejected' }))
  await isTold(() => call(editor, 'POST', `${path}/reject`))
  expect(window.roles.at(-1)).toBe('viewer')
  await isTold(() => call(owner, 'POST', `${path}/reopen`))
  expect([window.roles.at(-1), ownerWindow.roles.at(-1)]).toEqual(['editor', 'owner'])
})

test('decisions about many changes are one request, which asks for the rights of each member once', async () => {
  const { document, path, ownerWindow, owner, editor } = await fixture.openProposal()
  const MEMBERS = 30
  const windows = await Promise.all(Array.from({ length: MEMBERS }, () => fixture.open(document, editor)))
  const all = [ownerWindow, ...windows]
  const told = all.map(({ roles }) => roles.length)
  const roleOf = vi.spyOn(fixture.access, 'roleOf')
  const keys = Array.from({ length: 1_000 }, (_, index) => `k${index}`)
  const { json } = await call(owner, 'PATCH', `${path}/decisions`, { keys, decision: 'accepted' })
  expect(json['decided']).toHaveLength(keys.length)
  await waitUntil(() => all.every(({ roles }, index) => roles.length > told[index]!))
  expect(roleOf.mock.calls.length).toBe(1 + all.length)
  roleOf.mockRestore()
})

test('leaves the disk with its original, and with nothing else', async () => {
  const { document, proposal, owner, author, editor } = await fixture.openProposal()
  const other = await fixture.openProposal()
  const window = await fixture.open(proposal, author)
  await window.type('Mine. ', 0)
  await call(author, 'POST', `${proposal}/versions`, { name: 'Mine' })
  await call(editor, 'PATCH', `${document}/proposals/${proposal}/decisions`, {
    keys: ['a'],
    decision: 'rejected',
  })
  window.membership.leave()
  await call(owner, 'DELETE', document)
  expect(await sweep()).toBe(0)
  await fixture.call('DELETE', `/api/trash/${document}`, { cookie: owner.cookie })
  expect(await sweep()).toBe(2)
  expect([await countRows(document), await countRows(proposal)]).toEqual([0, 0])
  expect(await countRows(other.proposal)).toBeGreaterThan(0)
  expect((await call(other.owner, 'POST', `${other.path}/accept`, {})).status).toBe(200)
})

test('once it is closed its author may delete it, and the owner, but nobody else', async () => {
  const { document, proposal, path, owner, editor, author } = await fixture.openProposal()
  expect((await call(author, 'DELETE', path)).json['error']).toMatchObject({
    message: 'This proposal is open.',
  })
  await call(author, 'POST', `${path}/withdraw`)
  expect((await call(editor, 'DELETE', path)).status).toBe(403)
  expect((await call(author, 'DELETE', path)).status).toBe(204)
  expect((await call(author, 'GET', path)).status).toBe(404)
  expect((await call(owner, 'GET', `${document}/proposals`)).json['proposals']).toEqual([])
  expect(await sweep()).toBe(1)
  expect(await countRows(proposal)).toBe(0)
  const second = await fixture.openProposal()
  await call(second.owner, 'POST', `${second.path}/reject`)
  expect((await call(second.owner, 'DELETE', second.path)).status).toBe(204)
})

test('counts in the space of its author', async () => {
  const { document, owner, editor } = await fixture.openProposal('x'.repeat(10_000))
  const [ownerBytes, editorBytes] = [owner, editor].map(({ principal }) =>
    readBytesOf(fixture.db, principal.id),
  )
  const before = [await ownerBytes, await editorBytes]
  await call(editor, 'POST', `${document}/proposals`, {})
  expect(await readBytesOf(fixture.db, owner.principal.id)).toBe(before[0])
  expect(await readBytesOf(fixture.db, editor.principal.id)).toBeGreaterThan(before[1]! + 10_000)
})

test('a copy of the original has no proposals, and a copy of a proposal is a document of one’s own', async () => {
  const { document, proposal, owner, author } = await fixture.openProposal()
  const copy = await call(owner, 'POST', `${document}/copies`)
  expect((await call(owner, 'GET', `${copy.json['id']}`)).json).toMatchObject({ openProposals: 0 })
  const own = await call(author, 'POST', `${proposal}/copies`)
  expect((await call(author, 'GET', `${own.json['id']}`)).json).toMatchObject({
    role: 'owner',
    proposal: null,
  })
  expect((await call(owner, 'GET', `${own.json['id']}`)).status).toBe(404)
})

test('who may be mentioned in it is who may open the original', async () => {
  const { proposal, owner, editor, author } = await fixture.openProposal()
  const { json } = await call(author, 'GET', `${proposal}/readers`)
  const ids = (json['people'] as unknown as { id: string }[])
    .map(({ id }) => id)
    .toSorted((a, b) => (a < b ? -1 : 1))
  const all = [owner, editor, author].map(({ principal }) => principal.id)
  expect(ids).toEqual(all.toSorted((a, b) => (a < b ? -1 : 1)))
})

test('has comments of its own, which stay where they are', async () => {
  const { document, proposal, path, owner } = await fixture.openProposal()
  await fixture.rooms.edit(proposal, 'comments', owner.principal, (doc) =>
    doc.getMap('threads').set('a', new Y.Map()),
  )
  expect((await call(owner, 'POST', `${path}/accept`, {})).status).toBe(200)
  const { updates } = await fixture.store.load(document, 'comments')
  expect(updates).toEqual([])
})

test('[A4] a change of rights passes between nodes once: each finds the proposals by itself', async () => {
  const { document, proposal } = await fixture.openProposal()
  const hub = createLocalHub()
  const [own, other] = [hub.join('a'), hub.join('b')]
  const endSharing = shareAccessEvents(own, fixture.access, () => {})
  const received: string[] = []
  const onMessage = (message: Uint8Array): void => void received.push(Buffer.from(message).toString())
  await other.subscribe('access', { onMessage, onInterrupted() {} }).ready
  const heard: string[] = []
  const unsubscribe = fixture.access.onChanged((changed) => void heard.push(changed))
  fixture.access.notifyChanged(document)
  await waitUntil(() => heard.length === 2)
  fixture.access.notifyChanged('last')
  await waitUntil(() => received.length > 1)
  expect([heard.slice(0, 2), received]).toEqual([
    [document, proposal],
    [document, 'last'].map((changed) => JSON.stringify({ document: changed })),
  ])
  unsubscribe()
  endSharing()
  await Promise.all([own.close(), other.close()])
})
