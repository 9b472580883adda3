import { agentOf } from "@agent-checkpoint/agents";
import { type ActionExplanation, type Candidate, inlineCode } from "@agent-checkpoint/heuristics";
import { type Content, html, type Markup, renderPage, table, withCode } from "@agent-checkpoint/page";
import { visible } from "../terminal/visible.ts";
import { localTime } from "../time/format-time.ts";
import {
  askedBy,
  describeCost,
  describeFile,
  describeOutcome,
  describeStatus,
  describeVerdict,
} from "../why/render-report.ts";
import type { StopReport } from "../why/stop-report.ts";
import { decisionMark } from "./render-dashboard.ts";

const MAX_COMMAND_LENGTH = 200;

/** The whole of `checkpoint why` for one stop, as a page; what became of it comes with it. */
export function renderStop(report: StopReport): string {
  const { stop, notes } = report;
  return renderPage(
    `Stop ${stop.id} · agent-checkpoint`,
    html`<main>
      <header>
        <p class="brand"><a href="../">agent-checkpoint</a> · ${agentOf(stop.agent).title}</p>
        <h1>Stop ${stop.id} ${decisionMark(stop.decision)}</h1>
        <p>${visible(stop.sentence)}</p>
        ${notes.map((note) => html`<p class="small">Note: ${visible(note)}</p>`)}
      </header>
      ${facts(report)} ${outcomeSection(report)} ${messageSection(report)} ${actionSection(report)}
      ${observationSection(report)} ${fileSection(report)} ${snapshotSection(report)}
      <footer>
        <p>The same in a terminal: <code>checkpoint why ${stop.id}</code></p>
      </footer>
    </main>`,
  );
}

function facts({ stop, turn, block, passedAfter }: StopReport): Markup {
  const rows: readonly (readonly [string, Content])[] = [
    ["Stopped", localTime(stop.at)],
    ["Turn began", turn?.promptAt == null ? null : localTime(turn.promptAt)],
    ["Prompt", turn?.promptText == null ? null : visible(turn.promptText)],
    ["Calls", turn?.callCount ?? null],
    ["Folder", stop.projectPath === null ? null : html`<code>${visible(stop.projectPath)}</code>`],
    ["Session", html`<code>${visible(stop.sessionId)}</code>`],
    ["Transcript", turn?.transcriptPath == null ? null : html`<code>${visible(turn.transcriptPath)}</code>`],
    ["Judged in", `${stop.durationMs} ms`],
    ["Blocked before by", block === null ? null : html`<a href="./${block}">stop ${block}</a>`],
    ["Passed after it", passedAfter === null ? null : html`<a href="./${passedAfter}">stop ${passedAfter}</a>`],
  ];
  return html`<section>
    <h2>Turn</h2>
    <dl class="card facts">
      ${rows.map(([name, value]) =>
        value === null
          ? null
          : html`<dt>${name}</dt>
              <dd>${value}</dd>`,
      )}
    </dl>
  </section>`;
}

function outcomeSection({ outcomes, cost, stop }: StopReport): Content {
  const isBlock = stop.decision === "block";
  if (outcomes.length === 0 && cost === null)
    return isBlock ? html`<p class="small">What came of it is looked up soon after the turn has ended.</p>` : null;
  return html`<section>
    <h2>What came of it</h2>
    ${
      outcomes.length === 0
        ? null
        : table(
            "What came of it",
            [{ heading: "rule" }, { heading: "mode" }, { heading: "outcome", look: "text" }],
            outcomes.map((one) => [
              html`<b>${visible(one.rule)}</b>`,
              one.mode,
              html`<span class="key ${one.outcome}"></span>${describeOutcome(one)}`,
            ]),
          )
    }
    ${cost === null ? null : html`<p>${describeCost(cost)}</p>`}
  </section>`;
}

/** Whatever else is invisible in a message is shown as what it is. */
const NEWLINE: Markup = { markup: "\n" };

function messageSection({ message }: StopReport): Content {
  if (message === null) return null;
  return html`<section>
    <h2>The message</h2>
    <pre class="card">${message.split("\n").map((line) => [line, NEWLINE])}</pre>
  </section>`;
}

function actionSection({ actions, stop }: StopReport): Content {
  if (actions === null && stop.actions.length === 0) return null;
  const asked = actions?.filter(({ status }) => status !== "not-asked") ?? [];
  const others = actions?.filter(({ status }) => status === "not-asked").map(({ id }) => visible(id)) ?? [];
  return html`<section>
    <h2>Actions and their evidence</h2>
    <div class="card">
      ${asked.map(actionPart)}
      ${actions === null ? stop.actions.map((id) => html`<div class="stop-part"><h3>${visible(id)}: open</h3></div>`) : null}
      ${others.length === 0 ? null : html`<p class="stop-part small">Not asked for: ${others.join(", ")}</p>`}
    </div>
  </section>`;
}

function actionPart(action: ActionExplanation): Markup {
  return html`<div class="stop-part">
    <h3>${visible(action.id)}: ${describeStatus(action)}</h3>
    <span class="small">${askedBy(action)}</span>
    <ul class="steps">
      ${action.steps.map(({ run, status, candidates }) => html`<li><code>${visible(run)}</code> ${stepResult(status, candidates)}</li>`)}
    </ul>
  </div>`;
}

function stepResult(status: ActionExplanation["steps"][number]["status"], candidates: readonly Candidate[]): Content {
  if (status === "unknown") return "no transcript to search";
  if (status === "not-reached") return "not searched for, because an earlier step is missing";
  if (candidates.length === 0) return "not seen in the turn";
  return html`<ol class="calls">
    ${candidates.map(
      ({ call, verdict }) =>
        html`<li>
          Call ${call.number}:
          ${withCode(inlineCode(call.what, MAX_COMMAND_LENGTH))}${call.by === "subagent" ? " (a sub-agent's)" : ""}
          <span class="verdict ${verdict.status === "counted" ? "counts" : ""}">${describeVerdict(verdict)}</span>
        </li>`,
    )}
  </ol>`;
}

function observationSection({ observations, stop }: StopReport): Content {
  const all = observations ?? stop.observations.map((text) => ({ text, calls: [] }));
  if (all.length === 0) return null;
  return html`<section>
    <h2>Observations</h2>
    <div class="card">
      ${all.map(
        ({ text, calls }) =>
          html`<div class="stop-part">
            ${withCode(visible(text))}
            ${
              calls.length === 0
                ? null
                : html`<ol class="calls">
                    ${calls.map(({ number, what }) => html`<li>Call ${number}: ${withCode(inlineCode(what, MAX_COMMAND_LENGTH))}</li>`)}
                  </ol>`
            }
          </div>`,
      )}
    </div>
  </section>`;
}

function fileSection({ files, scope }: StopReport): Content {
  if (files === null) return null;
  if (files.length === 0)
    return html`<section>
      <h2>Files</h2>
      <p>${scope === "session" ? "None changed by this session." : "None changed."}</p>
    </section>`;
  return html`<section>
    <h2>Files</h2>
    ${table(
      "Files",
      [{ heading: "file" }, { heading: "what it is, and by which pattern", look: "text" }],
      files.map((file) => [html`<code>${visible(file.file)}</code>`, describeFile(file)]),
    )}
  </section>`;
}

function snapshotSection({ snapshots }: StopReport): Content {
  if (snapshots === null) return null;
  const { atStop, beforeTurn } = snapshots;
  const way = (where: string, id: string | null) =>
    id === null
      ? null
      : html`<dt>${where}</dt>
          <dd><code>checkpoint snapshot restore ${id} --remove-new</code></dd>`;
  return html`<section>
    <h2>Go back</h2>
    <dl class="card facts">${way("Before this turn", beforeTurn)} ${way("To this stop", atStop)}</dl>
  </section>`;
}
