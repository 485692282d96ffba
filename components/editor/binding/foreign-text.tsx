'use client'

import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import type { ForeignTextNoticeProps } from './foreign-text-notice.tsx'

const loadNotice = () => import('./foreign-text-notice.tsx')

/** The notice of a text that can only be read. */
export const ForeignText = ({ fits, ...props }: ForeignTextNoticeProps & { readonly fits: boolean }) => (
  <>{!fits && <LazyComponent load={loadNotice} props={props} />}</>
)
