import { expect, test } from 'vitest'
import { sampleScenario } from '../fixtures/sample-run.ts'
import type { Context } from './context.ts'
import { number } from './options.ts'
import type { BoundScenario } from './scenario.ts'
import { keyOf, type Outcome } from './trial.ts'

const made = sampleScenario({
  options: { clients: number('clients', 100, 1, 1000) },
  quick: { clients: '10' },
  plan: ({ clients }) =>
    ['A', 'B'].map((subject) => ({ subject, lane: 'sse (HTTP/1.1)', params: { clients } })),
  estimate: (_, { clients }) => clients / 10,
})

const subjectsOf = ({ trials }: BoundScenario): string => trials.map(({ subject }) => subject).join(' ')

test('rounds go A B, B A, A B, without what is measured less often', () => {
  expect(subjectsOf(made.bind([], false))).toBe('A B B A A B')
  expect(subjectsOf(made.bind(['--rounds', '2'], false))).toBe('A B B A')
  const once = sampleScenario({
    rounds: 2,
    plan: () => [
      { lane: 'once', params: {}, rounds: 1 },
      ...['B', 'C'].map((subject) => ({ subject, lane: '', params: {} })),
    ],
  })
  expect(subjectsOf(once.bind([], false))).toBe('diptych B C C B')
})

test('quick sets other defaults; what is given on the command line counts more', () => {
  expect(made.bind([], false).values).toEqual({ rounds: 3, clients: 100 })
  expect(made.bind([], true).values).toEqual({ rounds: 1, clients: 10 })
  expect(made.bind(['--clients', '20'], true).values).toEqual({ rounds: 1, clients: 20 })
})

test('a trial has a name that a file can have, and no other trial has it', () => {
  const [first] = made.bind([], false).trials
  expect(keyOf(first!)).toBe('a~sse-http-1.1-~clients=100~round=1')
  const { round: _, ...planned } = first!
  const twice = sampleScenario({ plan: () => [planned, planned] })
  expect(() => twice.bind([], false)).toThrow(
    'plans the same trial twice: a~sse-http-1.1-~clients=100~round=1',
  )
})

test('what a machine cannot run is skipped, and the report says why in one sentence', async () => {
  const reported: string[][] = []
  const partly = sampleScenario({
    rounds: 2,
    plan: () => ['A', 'B'].map((subject) => ({ subject, lane: 'sse', params: {} })),
    missing: ({ subject }) => (subject === 'B' ? 'Redis is not installed' : null),
    run: async () => 1,
    report(all) {
      reported.push(all.outcomes.map(({ trial }) => trial.subject))
      return { method: 'measured', tables: [], notes: ['measured'] }
    },
  })
  const { trials, run, report } = partly.bind([], false)
  const outcomes: Outcome[] = []
  for (const trial of trials)
    outcomes.push({
      trial,
      data: await run(trial, {} as Context),
      at: '',
      seconds: 0,
      load: 0,
      saturated: false,
    })
  const sentence = 'Skipped: B (sse). Redis is not installed.'
  expect(report(outcomes).notes).toEqual(['measured', sentence])
  expect(reported).toEqual([['A', 'A']])
  expect(report(outcomes.filter(({ trial }) => trial.subject === 'B')).notes).toEqual([sentence])
})

test('a report says in which trials the server refused somebody', () => {
  const bound = sampleScenario({ plan: () => [{ lane: 'sse', params: {} }] }).bind(['--rounds', '2'], false)
  const [first, second] = bound.trials.map((trial): Outcome => ({
    trial,
    data: {},
    at: '',
    seconds: 0,
    load: 0,
    saturated: false,
    refusals: {},
  }))
  expect(bound.report([first!, second!]).notes.join()).not.toContain('refused')
  const refusals = { 'refusals overloaded': 3, 'metered_work edit': 12 }
  expect(bound.report([first!, { ...second!, refusals }]).notes).toContain(
    'The server refused somebody, or let them wait, in 1 of 2 trials: diptych, sse, round 2 (refusals overloaded: 3, metered_work edit: 12).',
  )
})
