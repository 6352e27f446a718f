package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
	"wend/route"
)

func TestQueriesInTheirManyForms(t *testing.T) {
	want := []query{
		{geom.V3(1, 2, 3), geom.V3(4, 5, 6)},
		{geom.V3(-1, 0.5, 1e3), geom.V3(0, 0, 5e-324)},
	}
	for name, in := range map[string]string{
		"plain":           "sx,sy,sz,gx,gy,gz\n1,2,3,4,5,6\n-1,.5,1e3,0,-0,5e-324\n",
		"no last newline": "sx,sy,sz,gx,gy,gz\n1,2,3,4,5,6\n-1,.5,1e3,0,-0,5e-324",
		"CRLF and mark":   "\xef\xbb\xbfsx,sy,sz,gx,gy,gz\r\n1,2,3,4,5,6\r\n-1,.5,1e3,0,-0,5e-324\r\n",
		"more columns":    "id,sx,sy,sz,gx,gy,gz,found,note\n7,1,2,3,4,5,6,1,\"a, b\"\n8,-1,.5,1e3,0,-0,5e-324,0,\n",
		"other order":     "gz,gy,gx,sz,sy,sx\n6,5,4,3,2,1\n5e-324,-0,0,1e3,.5,-1\n",
		"blanks":          "sx, sy ,sz,gx,gy,gz\n\n 1, 2,3 ,4,5,6\n\n-1,+.5,1e3,0,-0,5e-324\n\n",
		"quoted":          "\"sx\",sy,sz,gx,gy,gz\n\"1\",2,3,4,5,6\n-1,.5,1e3,0,-0,5e-324\n",
	} {
		got, err := readQueries("q.csv", []byte(in))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(query{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestQueryFaultsNameThePlace(t *testing.T) {
	const head = "sx,sy,sz,gx,gy,gz\n"
	for name, c := range map[string]struct{ in, want string }{
		"empty":          {"", "q.csv: the file is empty, want a header with sx,sy,sz,gx,gy,gz"},
		"only a mark":    {"\xef\xbb\xbf", "q.csv: the file is empty"},
		"UTF-16":         {"\xff\xfes\x00x\x00", "q.csv: the file is UTF-16, want UTF-8"},
		"no rows":        {head, "q.csv: no queries: the file has a header and no rows"},
		"no header":      {"1,2,3,4,5,6\n", "q.csv:1: no column sx, sy, sz, gx, gy, gz"},
		"two missing":    {"sx,sy,gx,gz\n1,2,3,4\n", "q.csv:1: no column sz, gy; the header has to name sx,sy,sz,gx,gy,gz"},
		"upper case":     {"SX,SY,SZ,GX,GY,GZ\n", "no column sx"},
		"column twice":   {"sx,sy,sz,gx,gy,gz,sx\n", "q.csv:1:19: column sx appears twice"},
		"no number":      {head + "1,2,3,4,5,6\n1,2,x,4,5,6\n", `q.csv:3:5: sz: "x" is not a number`},
		"blank number":   {head + "1,2,3,,5,6\n", `q.csv:2:7: gx: "" is not a number`},
		"comma as point": {head + "1,5,2,3,4,5,6\n", "q.csv:2: the row has more or fewer fields than the header"},
		"short row":      {head + "1,2,3,4,5,6\n1,2,3\n", "q.csv:3: the row has more or fewer fields than the header"},
		"NaN":            {head + "1,2,3,nan,5,6\n", "q.csv:2:7: gx: coordinate nan is out of range"},
		"infinity":       {head + "1,-Inf,3,4,5,6\n", "q.csv:2:3: sy: coordinate -Inf is out of range"},
		"overflow":       {head + "1,2,3,4,5,1e999\n", "q.csv:2:11: gz: coordinate 1e999 is out of range"},
		"too far":        {head + "1,2,3,4,5,1e300\n", "gz: coordinate 1e300 is out of range, want at most 1048576 m from the origin"},
		"after blank":    {head + "\n\n1,2,3,4,5,y\n", `q.csv:4:11: gz: "y" is not a number`},
		"open quote":     {head + "1,2,\"3,4,5,6\n", "q.csv:"},
	} {
		_, err := readQueries("q.csv", []byte(c.in))
		var ce *CSVError
		if !errors.As(err, &ce) {
			t.Errorf("%s: got %v, want a CSVError", name, err)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\ngot  %v\nwant %s", name, err, c.want)
		}
	}
}

func TestAnswersAreOneRowAQuery(t *testing.T) {
	var b bytes.Buffer
	err := writeAnswers(&b, []answer{
		{status: route.Complete, length: 12.5, points: 4, snapStart: 0.1, snapEnd: 1e-9, micros: 12.34},
		{status: route.OffMesh},
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `status,length,points,snap_start,snap_end,micros
complete,12.500000,4,0.100000,0.000000,12.3
offmesh,0.000000,0,0.000000,0.000000,0.0
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzReadQueries(f *testing.F) {
	f.Add([]byte("sx,sy,sz,gx,gy,gz\n1,2,3,4,5,6\n"))
	f.Add([]byte("\xef\xbb\xbfid,gz,gy,gx,sz,sy,sx\r\n\"1\",2,3,4,5,6,7\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		qs, err := readQueries("q.csv", data)
		if err != nil {
			var ce *CSVError
			if !errors.As(err, &ce) || ce.Msg == "" {
				t.Errorf("odd error %T %v", err, err)
			}
			return
		}
		if len(qs) == 0 {
			t.Error("accepted a file without queries")
		}
		for _, q := range qs {
			if !q.from.IsFinite() || !q.to.IsFinite() {
				t.Errorf("accepted %v", q)
			}
		}
	})
}
