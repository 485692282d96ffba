import type { BuiltInTemplateName } from '../protocol/built-in-templates.ts'

/** New documents from templates. */
export const templatesStrings = {
  button: 'New from template',
  title: 'New from template',
  own: 'Your templates',
  builtIn: 'Templates for everybody',
  noOwn: 'You have none yet. Choose “Use as template” in the menu of a document.',
  notFetched: (why: string) => `Your templates could not be loaded. ${why}`,
  gone: (title: string) =>
    `The template “${title}” is gone, or no longer shared with you. Nothing was created.`,
  failed: (why: string) => `No document was created. ${why}`,
  names: {
    'meeting-notes': { name: 'Meeting notes', sentence: 'Agenda, notes, decisions and who does what.' },
    'weekly-plan': { name: 'Weekly plan', sentence: 'One goal, a table of days, and a look back.' },
    'project-brief': { name: 'Project brief', sentence: 'Problem, goal, plan, risks and open questions.' },
    'decision-record': { name: 'Decision record', sentence: 'Context, options, decision and consequences.' },
    interview: { name: 'Interview', sentence: 'Questions, notes, quotes and what was learned.' },
    checklist: { name: 'Checklist', sentence: 'What to do before, during and after.' },
  } satisfies Readonly<Record<BuiltInTemplateName, { readonly name: string; readonly sentence: string }>>,
} as const
