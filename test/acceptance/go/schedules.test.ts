import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Cron } from 'croner'
import { expect, test } from 'vitest'
import { scheduleProblem } from '../../../src/language/cron.ts'
import { emitProject } from '../../../src/emit/project.ts'
import { platformOf } from '../../emit/platform.ts'
import { writeFiles } from '../../emit/service-process.ts'
import { runGo } from './run-go.ts'

const DEFINITION = `Clock: project { #language(go); }
Hand: service { name: string; Tick: job { #schedule("0 3 * * *"); } }
`
const PROGRAM = `package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/robfig/cron/v3"
)

func main() {
	var questions []struct {
		Schedule string
		After    time.Time
	}
	text, _ := os.ReadFile(os.Args[1])
	if err := json.Unmarshal(text, &questions); err != nil {
		panic(err)
	}
	for _, each := range questions {
		schedule, err := cron.ParseStandard(each.Schedule)
		if err != nil {
			panic(err)
		}
		fmt.Println(schedule.Next(each.After.UTC()).Format(time.RFC3339))
	}
}
`
const FIELDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const

let seed = 7
/** A number from 0 to `count - 1`, the same in each run. */
function random(count: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
  return Math.floor((seed / 2 ** 31) * count)
}

function part([low, high]: (typeof FIELDS)[number]): string {
  const from = low + random(high - low + 1)
  const to = from + random(high - from + 1)
  const step = 1 + random(high)
  const forms = ['*', '*', `${from}`, `${from}-${to}`, `*/${step}`, `${from}-${to}/${step}`]
  return forms[random(forms.length)] ?? '*'
}

const expression = () =>
  FIELDS.map((field) => (random(4) === 0 ? `${part(field)},${part(field)}` : part(field))).join(' ')

test('every schedule has the same times in all languages', { timeout: 300_000 }, async () => {
  const questions = Array.from({ length: 20_000 }, () => ({
    Schedule: expression(),
    After: new Date(
      Date.UTC(2020 + random(8), random(12), 1 + random(31), random(24), random(60), random(60)),
    ),
  })).filter(({ Schedule }) => scheduleProblem(Schedule) === undefined)
  expect(questions.length).toBeGreaterThan(5000)
  const place = await writeFiles(emitProject(platformOf(DEFINITION)), { 'next/main.go': PROGRAM })
  const file = path.join(place, 'questions.json')
  await writeFile(file, JSON.stringify(questions))
  const go = (await runGo('go', ['run', './next', file], place)).trim().split('\n')
  const typescript = questions.map(({ Schedule, After }) => {
    const next = new Cron(Schedule, { timezone: 'UTC', paused: true }).nextRun(After)
    return next?.toISOString().replace('.000', '')
  })
  const answers = (times: readonly unknown[]) =>
    questions.map((each, index) => ({ ...each, next: times[index] }))
  expect(answers(typescript)).toEqual(answers(go))
})
