import { describe, expect, test } from 'vitest'
import { settle } from '../../lib/fixtures/wait.ts'
import { DocGate } from './doc-gate.ts'

/** A gate, and the callers that it let pass, in their order. */
function openGate(startBuild: () => Promise<unknown> | null = () => null) {
  const gate = new DocGate(startBuild)
  const passed: string[] = []
  const pass = (name: string, run = (): void => {}): void =>
    void gate.run(() => {
      passed.push(name)
      run()
    })
  return { gate, passed, pass }
}

describe('a gate that is open', () => {
  test('runs a callback at once, and answers with what it returns or throws', async () => {
    const { gate } = openGate()
    expect([gate.isOpen, gate.whenOpen(), gate.run(() => 'answer')]).toEqual([true, null, 'answer'])
    const fail = (): never => {
      throw new Error('refused')
    }
    expect(() => gate.run(fail)).toThrow('refused')
    gate.closeFor(Promise.resolve())
    const [answer, failure] = [gate.run(() => 'answer'), gate.run(fail)]
    await expect(failure).rejects.toThrow('refused')
    expect(await answer).toBe('answer')
  })

  test('is closed for what a caller needs, while those behind it wait', async () => {
    const { gate, passed, pass } = openGate()
    const work = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let started = 0
    const startWork = (): Promise<void> | null => work[started++]?.promise ?? null
    void gate.run(() => void passed.push('a'), startWork)
    pass('b')
    work[0]!.resolve()
    await settle()
    expect([passed, started]).toEqual([[], 2])
    work[1]!.resolve()
    await gate.whenSettled()
    expect(passed).toEqual(['a', 'b'])
  })

  test('is closed by the first who needs a Y.Doc that is not built', async () => {
    const build = Promise.withResolvers<void>()
    let builds = 0
    const { gate, passed, pass } = openGate(() => (builds++ === 0 ? build.promise : null))
    await gate.whenSettled()
    expect([gate.isOpen, builds]).toEqual([true, 0])
    pass('a')
    pass('b')
    await settle()
    expect([passed, gate.isOpen, builds]).toEqual([[], false, 1])
    build.resolve()
    await gate.whenSettled()
    expect([passed, gate.isOpen]).toEqual([['a', 'b'], true])
  })
})

describe('a gate that is closed', () => {
  test('lets callers pass in the order of their calls', async () => {
    const work = Promise.withResolvers<void>()
    const { gate, passed, pass } = openGate()
    gate.closeFor(work.promise)
    for (const name of ['a', 'b', 'c']) pass(name)
    work.resolve()
    await Promise.resolve()
    pass('late')
    await gate.whenSettled()
    expect(passed).toEqual(['a', 'b', 'c', 'late'])
  })

  test('is closed again by a caller, and those behind it wait for that, too', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { gate, passed, pass } = openGate()
    gate.closeFor(first.promise)
    pass('a', () => gate.closeFor(second.promise))
    pass('b')
    first.resolve()
    await settle()
    expect([passed, gate.isOpen]).toEqual([['a'], false])
    second.resolve()
    await gate.whenSettled()
    expect(passed).toEqual(['a', 'b'])
  })

  test('opens after work that fails, and has what it left unbuilt built for those who wait', async () => {
    const build = Promise.withResolvers<void>()
    let isBuilt = false
    const { gate, passed, pass } = openGate(() => (isBuilt ? null : build.promise.then(() => (isBuilt = true)))) // prettier-ignore
    gate.closeFor(Promise.reject(new Error('Yjs broke')))
    pass('a')
    await settle()
    expect([passed, gate.isOpen]).toEqual([[], false])
    build.resolve()
    await gate.whenSettled()
    expect([passed, gate.isOpen]).toEqual([['a'], true])
  })
})
