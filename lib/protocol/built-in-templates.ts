/** The templates that everybody has. The server has their texts, the page their names. */
export const builtInTemplateNames = [
  'meeting-notes',
  'weekly-plan',
  'project-brief',
  'decision-record',
  'interview',
  'checklist',
] as const

export type BuiltInTemplateName = (typeof builtInTemplateNames)[number]
