/** The flow of the benchmark `loss`, small: many say one message at the same moment; it is counted by id in every window and in the store. */
import { openDocument } from '../../lib/client.ts'
import { expect, test } from '../support/fixtures.ts'
import { everyTransport } from './ways.ts'

const CLIENTS = 15

for (const transport of everyTransport) {
  test(`[D1] ${CLIENTS} clients by ${transport} say one message at once: each is everywhere once, and in the store`, async ({
    server,
    scheme,
    door,
  }) => {
    const { id, tokens } = await door.newDocument()
    const open = () =>
      openDocument({
        url: server.origin(scheme),
        document: id,
        token: tokens.editor,
        transport,
        insecure: true,
      })
    const clients = Array.from({ length: CLIENTS }, open)
    await Promise.all(clients.map(({ whenSynced }) => whenSynced))
    for (const [index, { doc }] of clients.entries()) doc.getText('said').insert(0, `${index};`)
    await Promise.all(clients.map((client) => client.whenSaved()))
    const expected = clients.map((_client, index) => String(index)).toSorted()
    for (const { doc } of clients)
      await expect
        .poll(() => doc.getText('said').toJSON().split(';').slice(0, -1).toSorted())
        .toEqual(expected)
    await Promise.all(clients.map((client) => client.close()))
    await server.kill()
    await server.start()
    const late = open()
    await late.whenSynced
    expect(late.doc.getText('said').toJSON().split(';').slice(0, -1).toSorted()).toEqual(expected)
    await late.close()
  })
}
