import { expect, test } from 'vitest'
import { type Command, CommandRegistry, commandSections, createHelpOnlyCommand } from './command-registry.ts'

const command = (id: string, more: Partial<Command> = {}): Command => ({
  id,
  title: id,
  section: 'Text',
  run: () => {},
  ...more,
})

const ids = (registry: CommandRegistry) => registry.list().map(({ id }) => id)

test('commands are listed by section, and disappear with their source', () => {
  const registry = new CommandRegistry()
  const [text, help] = [{}, {}]
  registry.set(help, [command('help', { section: 'Help' })])
  registry.set(text, [command('bold'), command('code')])
  expect(ids(registry)).toEqual(['bold', 'code', 'help'])
  registry.set(text, [command('bold')])
  expect(ids(registry)).toEqual(['bold', 'help'])
  registry.delete(text)
  expect(ids(registry)).toEqual(['help'])
})

test('the later of two commands with one id counts', () => {
  const registry = new CommandRegistry()
  registry.set({}, [command('undo', { title: 'first' })])
  registry.set({}, [command('undo', { title: 'second' })])
  expect(registry.list().map(({ title }) => title)).toEqual(['second'])
})

test('text commands come first, and the many panel commands last, before the help', () => {
  const registry = new CommandRegistry()
  registry.set(
    {},
    commandSections.toSorted().map((section) => command(section, { section })),
  )
  expect(ids(registry)).toEqual(['Text', 'Go to', 'Document', 'Windows', 'View', 'Panels', 'Help'])
})

test('a help-only entry yields to the command of that id, in either order', () => {
  const registry = new CommandRegistry()
  const panel = {}
  const titles = () => registry.list().map(({ title, isHelpOnly }) => [title, isHelpOnly ?? false])
  registry.set(panel, [command('next', { title: 'real' })])
  registry.set({}, [createHelpOnlyCommand({ id: 'next', title: 'told', section: 'Text', keys: 'F3' })])
  expect(titles()).toEqual([['real', false]])
  registry.delete(panel)
  expect(titles()).toEqual([['told', true]])
})

test('the list is the same object until something changes, and listeners are notified of each change', () => {
  const registry = new CommandRegistry()
  const source = {}
  let changeCount = 0
  const unsubscribe = registry.subscribe(() => changeCount++)
  registry.set(source, [command('a')])
  expect(registry.list()).toBe(registry.list())
  registry.delete(source)
  registry.delete(source)
  expect(changeCount).toBe(2)
  unsubscribe()
  registry.set(source, [])
  expect(changeCount).toBe(2)
})

test('a command runs by its id, unless it is missing or unavailable', () => {
  const registry = new CommandRegistry()
  const ranIds: string[] = []
  registry.set({}, [
    command('a', { run: () => ranIds.push('a') }),
    command('b', { run: () => ranIds.push('b'), when: () => false }),
  ])
  for (const id of ['a', 'b', 'c']) registry.run(id)
  expect(ranIds).toEqual(['a'])
})
