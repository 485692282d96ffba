/** All panels: their names, and where their code is. Each is a chunk of its own, fetched when it is first shown. */
import {
  ChartNoAxesColumn,
  Eye,
  GitPullRequestArrow,
  History,
  Link2,
  ListTree,
  MessageSquare,
  PencilLine,
  Radio,
  Search,
  Users,
  type LucideIcon,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { PanelProps } from './panel-props.ts'
import { type PanelStrings, panelsStrings } from '@/lib/strings/panels.ts'

export interface PanelEntry extends PanelStrings {
  readonly Icon: LucideIcon
  load(): Promise<{ readonly default: ComponentType<PanelProps> }>
}

export const panels: Readonly<Record<PanelId, PanelEntry>> = {
  outline: {
    ...panelsStrings.entries.outline,
    Icon: ListTree,
    load: () => import('./outline/outline-panel.tsx'),
  },
  preview: {
    ...panelsStrings.entries.preview,
    Icon: Eye,
    load: () => import('./preview/preview-panel.tsx'),
  },
  comments: {
    ...panelsStrings.entries.comments,
    Icon: MessageSquare,
    load: () => import('./comments/comments-panel.tsx'),
  },
  history: {
    ...panelsStrings.entries.history,
    Icon: History,
    load: () => import('./history/history-panel.tsx'),
  },
  proposals: {
    ...panelsStrings.entries.proposals,
    Icon: GitPullRequestArrow,
    load: () => import('./proposals/proposals-panel.tsx'),
  },
  people: {
    ...panelsStrings.entries.people,
    Icon: Users,
    load: () => import('./people/people-panel.tsx'),
  },
  backlinks: {
    ...panelsStrings.entries.backlinks,
    Icon: Link2,
    load: () => import('./backlinks/backlinks-panel.tsx'),
  },
  find: {
    ...panelsStrings.entries.find,
    Icon: Search,
    load: () => import('./find/find-panel.tsx'),
  },
  statistics: {
    ...panelsStrings.entries.statistics,
    Icon: ChartNoAxesColumn,
    load: () => import('./statistics/statistics-panel.tsx'),
  },
  connection: {
    ...panelsStrings.entries.connection,
    Icon: Radio,
    load: () => import('./connection/connection-panel.tsx'),
  },
  editor: {
    ...panelsStrings.entries.editor,
    Icon: PencilLine,
    load: () => import('./editor/editor-panel.tsx'),
  },
}
