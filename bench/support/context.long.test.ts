import { expect, test } from 'vitest'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import { folderOfTest } from '../fixtures/sample-run.ts'
import { ScenarioScope } from './context.ts'
import { diptych } from './server.ts'

test('a trial says what its server refused somebody', async () => {
  await using scope = new ScenarioScope(await folderOfTest(), new AbortController().signal, () => {})
  const createTwo = (env: Record<string, string>) =>
    scope.runTrial(
      async (ctx) => {
        const { plainOrigin } = await ctx.startServer(diptych({ env }))
        await createSharedDocument(plainOrigin)
        return createSharedDocument(plainOrigin).then(
          () => 'made',
          () => 'refused',
        )
      },
      { ms: 60_000, words: 'took too long' },
    )
  expect(await createTwo({})).toMatchObject({ result: 'made', refusals: {} })
  expect(await createTwo({ LIMIT_NEW_DOCUMENTS: '1/0.001' })).toMatchObject({
    result: 'refused',
    refusals: { 'refused_requests too-many': 1 },
  })
})
