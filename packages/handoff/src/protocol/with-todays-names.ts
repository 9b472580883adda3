import { isRecord } from "../data/is-record.ts";
import type { Draft } from "./check-message.ts";

const NAME = "previous_summary";
const OLD_NAME = "previous_findings";

/**
 * A request with the summary of the phase before under today's name and in its place, `context.previous_summary`.
 * It may come under its old name or outside of the context, so that no way past the limit is left; two that differ are refused.
 */
export function withTodaysNames(request: unknown): Draft {
  if (!isRecord(request) || !isRecord(request["context"])) return { value: request, errors: [], warnings: [] };
  const { [NAME]: outside, [OLD_NAME]: oldOutside, ...rest } = request;
  const { [NAME]: inside, [OLD_NAME]: oldInside, ...context } = request["context"];
  const given = [inside, outside, oldInside, oldOutside].filter((summary) => summary !== undefined && summary !== null);
  const isOld = [oldInside, oldOutside].some((summary) => summary !== undefined && summary !== null);
  const summary = given[0] ?? inside;
  return {
    value: { ...rest, context: summary === undefined ? context : { ...context, [NAME]: summary } },
    errors: given.some((other) => other !== given[0])
      ? [`\`${NAME}\` and \`${OLD_NAME}\` differ: send one of them`]
      : [],
    warnings: isOld ? [`\`${OLD_NAME}\` is the old name of \`${NAME}\``] : [],
  };
}
