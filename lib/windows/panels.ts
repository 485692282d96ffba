/** All panels, by the names that are used in addresses, layouts and workspaces. */
export const panelIds = [
  'outline',
  'preview',
  'comments',
  'history',
  'proposals',
  'people',
  'backlinks',
  'find',
  'statistics',
  'connection',
  'editor',
] as const

export type PanelId = (typeof panelIds)[number]

export const isPanelId = (name: unknown): name is PanelId => panelIds.some((id) => id === name)

/** The path of a panel in a window of its own. */
export const panelPath = (document: string, panel: PanelId): string => `/d/${document}/p/${panel}`
