import { expect, test, vi } from 'vitest'
import { secondsOfAll } from '../run/progress.ts'
import { keyOf } from '../support/trial.ts'

// Those that replay recordings are planned, too, whether there are any here or not: nothing reads them before its trial.
vi.stubEnv('TRACES_DIR', '/nowhere')
const { scenarios } = await import('./all.ts')

/** On two cores, with the build of the pages: a minute less than is promised. */
const QUICK_MINUTES = 14

const planned = (quick: boolean) =>
  scenarios.map((scenario) => {
    const bound = scenario.bind([], quick)
    return { bound, trials: bound.trials }
  })

test('names are different, and none is a word that means something else', () => {
  const names = scenarios.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^(?!(report|compare|readme)$)[a-z][a-z0-9-]*$/)
})

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
  '%s can be planned',
  (_, scenario) => {
    for (const quick of [false, true]) {
      const { trials, values } = scenario.bind([], quick)
      // What is kept of a run is enough to plan it again.
      const again = scenario.bindTo(JSON.parse(JSON.stringify(values)) as typeof values)
      expect(again.trials.map(keyOf)).toEqual(trials.map(keyOf))
      expect(trials.length).toBeGreaterThan(0)
    }
  },
)

test('each trial has an estimate, and a quick run of everything is quick', () => {
  for (const { bound, trials } of [...planned(false), ...planned(true)])
    for (const trial of trials) expect(bound.estimate(trial)).toBeGreaterThan(0)
  const minutes = secondsOfAll(planned(true), { build: true, fsyncs: 300 }) / 60
  expect(minutes).toBeLessThan(QUICK_MINUTES)
})

const planOf = (name: string, ...args: string[]) =>
  scenarios.find((scenario) => scenario.name === name)!.bind(args, false).trials

test('keystrokes: lengths are planned beside Tiptap, lanes beside the relay, both unless a peer is named', () => {
  const subjectsOf = (...args: string[]) =>
    [...new Set(planOf('keystrokes', ...args).map(({ subject }) => subject))].toSorted()
  const hasLengths = (...args: string[]) =>
    planOf('keystrokes', ...args).some(({ params }) => 'characters' in params)
  expect(subjectsOf()).toEqual(['diptych', 'relay', 'tiptap-hocuspocus'])
  expect(subjectsOf('--subjects', 'diptych,relay')).toEqual(['diptych', 'relay'])
  expect(subjectsOf('--subjects', 'relay')).toEqual(['relay'])
  expect(hasLengths('--subjects', 'diptych')).toBe(true)
  expect(hasLengths('--subjects', 'diptych,relay')).toBe(false)
  const lengths = planOf(
    'keystrokes',
    '--subjects',
    'diptych,tiptap-hocuspocus',
    '--characters',
    '0,104000',
    '--rounds',
    '1',
  )
  expect(lengths.map(({ subject, params }) => [subject, params['characters'], params['others']])).toEqual([
    ['diptych', 0, 0],
    ['tiptap-hocuspocus', 0, 0],
    ['diptych', 0, 5],
    ['tiptap-hocuspocus', 0, 5],
    ['diptych', 104_000, 0],
    ['tiptap-hocuspocus', 104_000, 0],
    ['diptych', 104_000, 5],
    ['tiptap-hocuspocus', 104_000, 5],
  ])
})

test('keystrokes: each lane that people choose has bytes and delays; those that no aim counts once', () => {
  const rounds = (lane: string) =>
    ['0', '25', '100'].map(
      (ms) =>
        planOf('keystrokes').filter((trial) => trial.lane === lane && trial.params['network'] === ms).length,
    )
  const often = ['websocket', 'sse', 'stream', 'long-poll']
  expect(often.map(rounds)).toEqual(often.map(() => [1, 3, 1]))
  const once = ['websocket-h2', 'sse-http1', 'poll']
  expect(once.map(rounds)).toEqual(once.map(() => [1, 1, 1]))
})

test('loss: subjects take turns within a size, and bytes are counted apart', () => {
  const trials = planOf('loss', '--users', '50,5000', '--subjects', 'diptych,hocuspocus', '--nodes', 'one')
  const times = trials.filter(({ params }) => params['users'] === 50 && params['part'] === 'times')
  expect(times.map(({ subject, round }) => `${subject} ${round}`)).toEqual([
    'diptych 1',
    'hocuspocus 1',
    'hocuspocus 2',
    'diptych 2',
    'diptych 3',
    'hocuspocus 3',
  ])
  expect(trials.filter(({ params }) => params['part'] === 'bytes')).toHaveLength(4)
})

test('loss: Diptych is measured as one node and as two, the others as they are; a proxy stands before one node alone', () => {
  const trials = planOf('loss', '--users', '50', '--subjects', 'diptych,socket.io', '--turns', '1')
  expect(trials.map(({ lane, params }) => `${lane}, ${params['nodes']}, ${params['part']}`)).toEqual([
    'websocket, 1, times',
    'two nodes, Redis between, 2, times',
    'two nodes, Redis killed, 2, times',
    'websocket, 1, times',
    'websocket, 1, bytes',
    'websocket, 1, bytes',
  ])
})
