'use client'

import { useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { type TextFit, textFitOf } from './text-fit.ts'

export function useTextFit({ doc }: OpenDocument): TextFit {
  const { subscribe, get } = textFitOf(doc)
  return useSyncExternalStore(subscribe, get, get)
}
