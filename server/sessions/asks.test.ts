import { describe, expect, test } from 'vitest'
import { AskRefused } from '../../lib/session/asks.ts'
import { AskRefusal, type Question } from './asks.ts'
import { until, type Window, World } from './fixtures/world.ts'

const utf8 = new TextEncoder()
const words = new TextDecoder()

/** A server that answers when it is told to. */
class Oracle {
  readonly asked: Question[] = []
  readonly #held: PromiseWithResolvers<Uint8Array | null>[] = []

  answering = (question: Question): Promise<Uint8Array | null> => {
    const held = Promise.withResolvers<Uint8Array | null>()
    question.signal.addEventListener('abort', () => held.reject(question.signal.reason as Error))
    this.asked.push(question)
    this.#held.push(held)
    return held.promise
  }

  answers(index: number, text: string): void {
    this.#held[index]!.resolve(utf8.encode(text))
  }

  refuses(index: number, error: Error): void {
    this.#held[index]!.reject(error)
  }

  knowsNothing(index: number): void {
    this.#held[index]!.resolve(null)
  }
}

const ask = async ({ opened }: Window, about: string, signal?: AbortSignal): Promise<string> =>
  words.decode(await opened.session.ask(about, utf8.encode('?'), signal))

async function start() {
  const oracle = new Oracle()
  const world = await World.open({ answering: oracle.answering })
  const window = world.window('ada')
  await window.whenSynced
  const asks = (about: string, signal?: AbortSignal) => ask(window, about, signal)
  return { oracle, world, window, asks }
}

describe('[S11] requests inside the session', () => {
  test('are answered each by its own, in whatever order, and told who asks', async () => {
    const { oracle, asks, window } = await start()
    const answers = [asks('first'), asks('second')]
    await until(() => oracle.asked.length === 2)
    oracle.answers(1, '2')
    oracle.answers(0, '1')
    expect(await Promise.all(answers)).toEqual(['1', '2'])
    expect(oracle.asked.map(({ about, principal }) => [about, principal.id])).toEqual(
      ['first', 'second'].map((about) => [about, window.principal.id]),
    )
  })

  test('over a switch of transport nothing is asked twice, and no answer is lost', async () => {
    const { oracle, asks, window } = await start()
    const answer = asks('slow')
    await until(() => oracle.asked.length === 1)
    await window.switchTransport('sse')
    oracle.answers(0, 'late')
    expect(await answer).toBe('late')
    expect(oracle.asked.length).toBe(1)
  })

  test('an answer that fell into a gap is asked for again', async () => {
    const { oracle, asks, window } = await start()
    const answer = asks('slow')
    await until(() => oracle.asked.length === 1)
    window.network.offline()
    oracle.answers(0, 'lost')
    await new Promise(setImmediate)
    window.network.online()
    await until(() => oracle.asked.length === 2)
    oracle.answers(1, 'found')
    expect(await answer).toBe('found')
  })

  test('[S3] a server that forgot the session is asked again', async () => {
    const { oracle, world, asks } = await start()
    const answer = asks('slow')
    await until(() => oracle.asked.length === 1)
    await world.restart()
    await until(() => oracle.asked.length === 2)
    oracle.answers(1, 'afresh')
    expect(await answer).toBe('afresh')
  })

  test('a refusal says why, and nothing of a mistake inside', async () => {
    const { oracle, asks } = await start()
    const asked = [asks('a'), asks('b'), asks('c')].map((one) => one.catch((error: unknown) => error))
    await until(() => oracle.asked.length === 3)
    oracle.refuses(0, new AskRefusal({ code: 'overloaded', detail: 'later' }))
    oracle.knowsNothing(1)
    oracle.refuses(2, new Error('a mistake with a secret in it'))
    const [busy, unknown, mistake] = await Promise.all(asked)
    expect(busy).toMatchObject({ reason: { code: 'overloaded', detail: 'later' } })
    expect(unknown).toMatchObject({ reason: { code: 'not-offered' } })
    expect(mistake).toMatchObject({ reason: { code: 'overloaded' } })
    expect(String(mistake)).not.toContain('secret')
  })

  test('[A6] a hundred at a time, and those behind them are refused', async () => {
    const { oracle, asks } = await start()
    const answers = Array.from({ length: 101 }, (_, index) =>
      asks(`${index}`).catch((error: unknown) => error),
    )
    expect(await answers[100]).toMatchObject({
      reason: { code: 'overloaded', detail: expect.stringContaining('100') as string },
    })
    expect(oracle.asked.length).toBe(100)
    oracle.answers(7, 'seven')
    expect(await answers[7]).toBe('seven')
    void asks('room again').catch(() => {})
    await until(() => oracle.asked.length === 101)
  })

  test('what nobody waits for any more is given up: here by its asker, at the server with the session', async () => {
    const { oracle, asks, window } = await start()
    const abort = new AbortController()
    const given = asks('given up', abort.signal)
    const left = asks('left')
    abort.abort(new Error('no longer wanted'))
    await expect(given).rejects.toThrow('no longer wanted')
    await expect(asks('never', abort.signal)).rejects.toThrow('no longer wanted')
    await until(() => oracle.asked.length === 2)
    oracle.answers(0, 'for nobody')
    const refused = expect(left).rejects.toThrow(AskRefused)
    await window.close()
    await refused
    await until(() => oracle.asked[1]!.signal.aborted)
    await expect(asks('after the end')).rejects.toThrow(AskRefused)
  })
})
