/** What the service counts, in the text form of Prometheus. */
export interface Metrics {
  readonly request: (route: string, status: number, seconds: number) => void;
  readonly rows: (received: number, inserted: number, refused: number) => void;
  readonly render: (gauges: Readonly<Record<string, number>>) => string;
}

export function makeMetrics(): Metrics {
  const counters = new Map<string, number>();
  const add = (name: string, value: number): void => void counters.set(name, (counters.get(name) ?? 0) + value);
  return {
    request: (route, status, seconds) => {
      add(`checkpoint_requests_total{route="${route}",status="${status}"}`, 1);
      add(`checkpoint_request_seconds_sum{route="${route}"}`, seconds);
      add(`checkpoint_request_seconds_count{route="${route}"}`, 1);
    },
    rows: (received, inserted, refused) => {
      add("checkpoint_rows_received_total", received);
      add("checkpoint_rows_inserted_total", inserted);
      add("checkpoint_rows_refused_total", refused);
    },
    render: (gauges) => {
      const values = [...counters, ...Object.entries(gauges)].toSorted(([one], [other]) => (one < other ? -1 : 1));
      let family = "";
      return values
        .map(([name, value]) => {
          const base = (/^\w+/.exec(name)?.[0] ?? "").replace(/_(sum|count)$/, "");
          const kind = name in gauges ? "gauge" : base.endsWith("_total") ? "counter" : "summary";
          const heading = base === family ? "" : `# TYPE ${base} ${kind}\n`;
          family = base;
          return `${heading}${name} ${value}\n`;
        })
        .join("");
    },
  };
}
